"""Settings, from the environment; without any, those of the embedded stack on this machine."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from celery.schedules import crontab
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.log import CallbackFilter
from django.utils.translation import gettext_lazy as _

from config import compiling

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
# Compose files and CI set variables to nothing where they mean to leave them out.
env.ENVIRON = {name: value for name, value in os.environ.items() if value}

DEFAULT_SECRET_KEY = "for-development-only-never-on-a-public-host"  # noqa: S105
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default=DEFAULT_SECRET_KEY)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / ".data")))

# Read by numba when it is imported.
os.environ.setdefault("NUMBA_CACHE_DIR", compiling.kept_in(DATA_DIR))

INSTALLED_APPS = [
    "config.apps.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "games",
    "accounts",
    "notifications",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.caching.say_who_keeps_it",
    "config.middleware.speak_utf8",
    "accounts.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.speak_to_the_player",
    "accounts.middleware.note_visit",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["config.tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.bounces",
                "config.context.mailbox",
                "config.context.suspension",
                "config.context.token",
            ],
        },
    }
]

SQLITE = "django.db.backends.sqlite3"
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'perepiska.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == SQLITE:
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A deferred transaction that reads and then writes fails at once when another process wrote in between (C15).
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000",
    }
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 3)
# To open even a file anew for each request takes as long as to read from it.
DATABASES["default"]["CONN_MAX_AGE"] = 60
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default=f"redis+socket://{DATA_DIR / 'redis.sock'}")
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 300, "unacked_restore_interval": 5}
CELERY_TASK_IGNORE_RESULT = True
# What thinks has a queue and a worker of its own: letters and sweeps never wait for it.
CELERY_TASK_ROUTES = {f"games.{one}": {"queue": "engine"} for one in ("analyse", "think", "warm_up")}
CELERY_TASK_TIME_LIMIT = 120
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BEAT_SCHEDULE = {
    "accounts.erase_waiting": {"task": "accounts.erase_waiting", "schedule": 60.0, "options": {"expires": 60}},
    "accounts.finish_suspensions": {"task": "accounts.finish_suspensions", "schedule": 60.0, "options": {"expires": 60}},
    "accounts.forget_unconfirmed": {"task": "accounts.forget_unconfirmed", "schedule": 3600.0, "options": {"expires": 3600}},
    "games.expire": {"task": "games.expire", "schedule": 60.0, "options": {"expires": 60}},
    "games.daily": {"task": "games.daily", "schedule": 20.0, "options": {"expires": 20}},
    "games.notices": {"task": "games.notices", "schedule": crontab(hour=5, minute=7), "options": {"expires": 3600}},
    "games.sweep": {"task": "games.sweep", "schedule": 1.0, "options": {"expires": 2}},
    "notifications.forget_old": {"task": "notifications.forget_old", "schedule": 3600.0, "options": {"expires": 3600}},
    "notifications.sweep": {"task": "notifications.sweep", "schedule": 1.0, "options": {"expires": 2}},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat")

# Until when the service has lived, beside the database; the name is completed by that of the database.
HIGH_WATER = DATA_DIR / "high-water"

# Sessions, rate limits: in the database, which is there when Redis is not (R6).
CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}}

EMAIL_URL = env.str("EMAIL_URL", default="")
MAILBOX_DIR = DATA_DIR / "mailbox"
MAILBOX = not EMAIL_URL
if MAILBOX:
    EMAIL_BACKEND = "notifications.mailbox.backend.MailboxBackend"
else:
    vars().update(env.email_url("EMAIL_URL"))
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"Perepiska <games@{urlsplit(SITE_URL).hostname}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Where mail servers report what did not arrive; each letter adds a token of 32 digits to the local part, which ends at 64.
RETURN_PATH = env.str("RETURN_PATH", default="")
if RETURN_PATH and not re.fullmatch(r"[a-z0-9._-]{1,31}@[a-z0-9.-]+", RETURN_PATH):
    raise ImproperlyConfigured(f"RETURN_PATH is {RETURN_PATH!r}: it has to be a short address like bounces@games.example.org.")

AUTH_USER_MODEL = "accounts.Player"
AUTHENTICATION_BACKENDS = ["accounts.sessions.PlayerBackend"]
SESSION_ENGINE = "accounts.sessions"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(SITE_URL).scheme
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_FORMS = {"request_login_code": "accounts.forms.code.RequestLoginCodeForm"}
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
# Letters take their time; of each code three tries are allowed.
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
# Beside allauth's own: those of accounts.limits, and that nobody floods a mailbox by typing its address.
ACCOUNT_RATE_LIMITS = {
    "challenge": "20/h/user,60/h/ip",
    "analysis": "30/h/user,60/h/ip",
    "export": "6/h/user",
    "guest": "60/m/ip,300/h/ip",
    "invitation": "10/h/user,20/d/user,30/h/ip",
    "letters_again": "5/h/user,20/h/ip",
    "message": "60/h/user,120/h/ip",
    "report": "10/h/user,30/h/ip",
    "request_login_code": "20/m/ip,3/m/key,10/h/key",
    "reset_password": "20/m/ip,3/m/key,10/h/key",
    "signup": "20/m/ip,100/h/ip",
}
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.forms.SignupForm"
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_USER_DISPLAY = "accounts.adapter.user_display"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
MFA_ADAPTER = "accounts.adapter.SecondFactorAdapter"
MFA_FORMS = {"add_webauthn": "accounts.forms.passkey.AddForm", "login_webauthn": "accounts.forms.passkey.LoginForm"}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Perepiska"
MFA_TOTP_TOLERANCE = 1
PASSWORD_RESET_TIMEOUT = 86400
LOGIN_REDIRECT_URL = "games:mine"
LOGIN_URL = "account_login"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ru", _("Russian")), ("tr", _("Turkish"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.StaticFilesStorage"},
}
WHITENOISE_MANIFEST_STRICT = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    # A monitor that asks /healthz each second knows already.
    "filters": {"news": {"()": CallbackFilter, "callback": lambda record: getattr(record, "status_code", None) != 503}},
    "formatters": {"line": {"()": "config.logs.Masked", "format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["news"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # Its own handlers would write, or mail, paths as they are.
        "django": {"handlers": []},
        # runserver's lines name every path.
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
    },
}
DEFAULT_EXCEPTION_REPORTER = "config.logs.MaskedReporter"

if urlsplit(SITE_URL).scheme not in ("http", "https") or not urlsplit(SITE_URL).hostname:
    raise ImproperlyConfigured(f"SITE_URL is {SITE_URL!r}: it has to be an address like https://games.example.org.")
LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "::1"}
# BIND is where `make serve` listens: whoever reaches that address reads the development mailbox.
PUBLIC = bool({*ALLOWED_HOSTS, urlsplit(SITE_URL).hostname, env.str("BIND", default="127.0.0.1")} - LOCAL_HOSTS)
if PUBLIC and SECRET_KEY == DEFAULT_SECRET_KEY:
    raise ImproperlyConfigured("SECRET_KEY is the default one and the host is public: set SECRET_KEY to a long random text.")
if PUBLIC and DEBUG:
    raise ImproperlyConfigured("DEBUG is on and the host is public: unset DEBUG.")
if PUBLIC and MAILBOX:
    raise ImproperlyConfigured("EMAIL_URL is not set and the host is public: letters would stay on this machine. Set EMAIL_URL.")

# Rate limits count addresses, so X-Forwarded-For is believed only as far as the proxies that are known to write it.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)
if ALLAUTH_TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
# Nothing inline runs but what carries the nonce of its page. The picture that a second factor is read from is a `data:` image.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "frame-src": [SELF],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "worker-src": [SELF],
    }
}
CSRF_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = [SITE_URL]
if urlsplit(SITE_URL).scheme == "https":
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 86400
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
