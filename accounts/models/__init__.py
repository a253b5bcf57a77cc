"""The tables of accounts: players, whom they block, what they report, and the audit log."""

from accounts.models.audit import AuditEntry, Reason
from accounts.models.block import Block
from accounts.models.player import Player
from accounts.models.report import Report

__all__ = ["AuditEntry", "Block", "Player", "Reason", "Report"]
