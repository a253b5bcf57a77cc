"""Reports as mail servers write them: Postfix, Exim, Exchange, Gmail; what is in braces is the letter's."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from notifications import return_path
from notifications.models import Letter

POSTFIX: Final = """\
Return-Path: <>
Delivered-To: {path}
Received: by mail.example.net (Postfix) id 5D0E4A0012; Mon, 30 Nov 2026 12:00:00 +0000 (UTC)
Date: Mon, 30 Nov 2026 12:00:00 +0000 (UTC)
From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {path}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4F1E3A0011.1796040000/mail.example.net"
Message-Id: <20261130120000.5D0E4A0012@mail.example.net>

This is a MIME-encapsulated message.

--4F1E3A0011.1796040000/mail.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

<{address}>: host mx.example.org[192.0.2.1] said: {code} {status} <{address}>:
    Recipient address rejected: User unknown (in reply to RCPT TO command)

--4F1E3A0011.1796040000/mail.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net
X-Postfix-Queue-ID: 4F1E3A0011
X-Postfix-Sender: rfc822; {path}
Arrival-Date: Mon, 30 Nov 2026 11:59:58 +0000 (UTC)

Final-Recipient: rfc822; {address}
Original-Recipient: rfc822;{address}
Action: {action}
Status: {status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; {code} {status} <{address}>: Recipient address
    rejected: User unknown

--4F1E3A0011.1796040000/mail.example.net
Content-Description: Undelivered Message
Content-Type: message/rfc822

Return-Path: <{path}>
From: Perepiska <games@games.example.org>
To: {address}
Subject: Mangala no. 1
Message-ID: {message_id}

1
--4F1E3A0011.1796040000/mail.example.net--
"""

EXIM: Final = """\
Return-path: <>
From: Mail Delivery System <Mailer-Daemon@mx.example.net>
To: {path}
Auto-Submitted: auto-replied
X-Failed-Recipients: {address}
Content-Type: multipart/report; report-type=delivery-status; boundary=1796040000-eximdsn-1594362180
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1796040000-eximdsn-1594362180
Content-type: text/plain; charset=us-ascii

A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.

--1796040000-eximdsn-1594362180
Content-type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Action: {action}
Final-Recipient: rfc822;{address}
Status: {status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; {code} no mailbox here by that name

--1796040000-eximdsn-1594362180
Content-type: message/rfc822

Return-path: <{path}>
Message-ID: {message_id}
To: {address}

--1796040000-eximdsn-1594362180--
"""

EXCHANGE: Final = """\
From: postmaster@example.org
To: {path}
Date: Mon, 30 Nov 2026 12:00:00 +0000
Content-Type: multipart/report; report-type=delivery-status;
 boundary="8d1b=_e3a/(b)?"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-US
Message-ID: <ndr@EXAMPLE.prod.outlook.com>
In-Reply-To: {message_id}
Subject: Undeliverable: =?utf-8?B?0JzQsNC90LPQsNC70LA=?=
Auto-Submitted: auto-replied
MIME-Version: 1.0

--8d1b=_e3a/(b)?
Content-Type: multipart/alternative; differences=Content-Type;
 boundary="inner"

--inner
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Your message couldn't be delivered=2E

--inner--

--8d1b=_e3a/(b)?
Content-Type: message/delivery-status

Reporting-MTA: dns;EXAMPLE.prod.outlook.com
Received-From-MTA: dns;mail.example.net

Original-Recipient: rfc822;{address}
Final-Recipient: rfc822;{address}
Action: {action}
Status: {status}
Diagnostic-Code: smtp;{code} {status} Recipient address rejected: Access denied.

--8d1b=_e3a/(b)?
Content-Type: text/rfc822-headers

Message-ID: {message_id}
To: {address}

--8d1b=_e3a/(b)?--
"""

WRAPPED: Final = """\
From: filter@example.net
To: {path}
Content-Type: multipart/mixed; boundary=out

--out
Content-Type: text/plain

[EXTERNAL]
--out
Content-Type: multipart/report; report-type=delivery-status; boundary="in"

--in
Content-Type: message/delivery-status
Content-Transfer-Encoding: base64

UmVwb3J0aW5nLU1UQTogZG5zOyBhCgpGaW5hbC1SZWNpcGllbnQ6IHJmYzgyMjsgeEBleGFtcGxlLm9yZwpBY3Rpb246IEZBSUxFRApTdGF0dXM6IDUu
MS4xIChnb25lKQo=
--in--
--out--
"""

FROM_PIPE: Final = Path(__file__).with_name("postfix_bounce.eml").read_text(encoding="utf-8")
"""What Postfix 3.7 handed to a pipe for an unknown user; of the letter that it returns the parts are left out."""

ALL: Final = {"postfix": POSTFIX, "exim": EXIM, "exchange": EXCHANGE}


def report(letter: Letter, address: str, like: str = POSTFIX, **other: str) -> bytes:
    """A report on a letter that went to an address; `other` replaces action, status, code, path or message_id."""
    told = {
        "path": return_path.of(letter.pk, address),
        "message_id": letter.message_id,
        "action": "failed",
        "status": "5.1.1",
        "code": "550",
        **other,
    }
    return like.format(address=address, **told).replace("\n", "\r\n").encode()
