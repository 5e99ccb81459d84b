"""Secrets as they look like, put together here so that no scanner takes one for a real one."""

from __future__ import annotations

import base64
from hashlib import shake_256


def mixed(length: int, seed: str = "x") -> str:
    """Letters and digits without an order; always the same ones."""
    wanted = 2 * length
    return base64.b64encode(shake_256(seed.encode()).digest(wanted), b"AZ").decode()[:length]


def web_token() -> str:
    """A JSON web token of three parts."""
    parts = [b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"1234567890"}', b"signature-of-it"]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def private_key(end: str = "\n", kind: str = "RSA ") -> str:
    """A PEM block; ``end`` is how its line ends are written."""
    mark = f"{kind}PRIVATE KEY-----"
    lines = [f"-----BEGIN {mark}", mixed(64, "a"), mixed(64, "b"), f"-----END {mark}"]
    return end.join(lines)


SHAPED: dict[str, list[str]] = {
    "private-key": [private_key(), private_key("\\n"), private_key("\r\n", "")],
    "anthropic-key": ["sk-ant-api03-" + mixed(95), "sk-ant-oat01-" + mixed(80)],
    "openai-key": [
        "sk-" + mixed(20) + "T3BlbkFJ" + mixed(20, "y"),
        "sk-proj-" + mixed(60) + "_-" + mixed(40),
        "sk-svcacct-" + mixed(40),
    ],
    "github-token": [f"gh{kind}_{mixed(36)}" for kind in "pousr"]
    + ["github_pat_" + mixed(22) + "_" + mixed(59)],
    "gitlab-token": ["glpat-" + mixed(20)],
    "aws-key-id": ["AKIA" + mixed(16).upper(), "ASIA" + mixed(16, "z").upper()],
    "google-key": ["AIza" + mixed(35)],
    "slack-token": ["xoxb-" + "1234567890-" * 2 + mixed(24), "xapp-1-A1B2-33-" + mixed(20)],
    "stripe-key": ["sk_live_" + mixed(24), "rk_live_" + mixed(24)],
    "huggingface-token": ["hf_" + mixed(34)],
    "npm-token": ["npm_" + mixed(36)],
    "pypi-token": ["pypi-AgEIcHlwaS5vcmc" + mixed(80)],
    "jwt": [web_token()],
    "email": ["petra.petrel@example.com", "petra%40example.co.jp"],
}
"""By kind, what is known by its shape alone, wherever it stands."""

NAMED: dict[str, list[tuple[str, str]]] = {
    "login": [
        ("https://petra:{}@host.example/path", "w1Nd-and-tide"),
        ("curl -u petra:{} https://host.example", "w1Nd-and-tide"),
    ],
    "aws-secret": [("aws_secret_access_key = {}\n", mixed(38) + "/+")],
    "authorization": [
        ('curl -H "Authorization: Bearer {}"', mixed(24, "bearer")),
        ("authorization: Basic {}\n", "cGV0cmE6d2luZC1hbmQtdGlkZQ=="),
        ("-H 'x-api-key: {}' ", mixed(20, "header")),
        ("Cookie: {}\n", "session=" + mixed(24, "cookie")),
    ],
    "password": [
        ("DB_PASSWORD={}\n", "w1nd-and-tide"),
        ('{{"user": "petra", "password": "{}"}}', "wind and tide 7!"),
        ('{{\\"password\\": \\"{}\\"}}', "w1nd&tide"),
        ("password: {}\n", "w1ndandtide"),
        ("auth: {{ user: 'x', pass: '{}' }}", "w1ndandtide"),
    ],
    "secret": [
        ("export PETREL_API_KEY={}\n", mixed(32, "env")),
        ('{{"api_key": "{}"}}', mixed(24, "json")),
        ("  client_secret: {}\n", mixed(24, "yaml")),
        ("const accessToken = '{}';", mixed(24, "code")),
        ("https://host.example/?token={}&page=2", mixed(24, "query")),
        ("deploy --registry-token {} --force", mixed(24, "option")),
        ("deploy --password '{}'", "w1nd-and-tide"),
    ],
}
"""By kind, texts with a place for a secret that only they betray."""

HOMES = [
    "/home/petra/log",
    "/Users/petra/log",
    "C:\\Users\\petra\\log",
    "C:\\\\Users\\\\petra\\\\log",
    "C:/Users/petra/log",
    "c:\\users\\petra\\log",
    "file:///home/petra",
    "%2Fhome%2Fpetra%2Flog",
    "/home/petra/.claude/projects/-home-petra-log/1.jsonl",
    "~/.claude/projects/-Users-petra-log/1.jsonl",
    "C--Users-petra-log",
]
"""Paths that tell the name petra."""

KEPT = [
    "task-ant-hill sk-container-id-1 sk-estimator-doc-link-fitted risk-assessment-2026",
    "git@github.com:petrel/log.git",
    "password: str, token: str | None = None, api_key=os.environ['API_KEY']",
    "login(password=user_password, token=get_token_v2('a'))",
    "API_KEY=$PETREL_KEY API_KEY=${PETREL_KEY_12345} token=<your token 12345>",
    'api_key = "your-api-key-0123456789"',
    "max_tokens=1024 token_count: 12345678901 sorted(x, key=lambda one: one.name2)",
    "SSH_KEY=/etc/keys/id_rsa PWD=/srv/petrel TOKEN_URL=https://host.example/t0ken",
    "http://localhost:8000/a@b https://host.example/@petrel",
    "Authorization: Bearer $TOKEN Authorization: required",
    'if "-----BEGIN PRIVATE KEY-----" in text: PRIMARY_KEY=a1b2c3d4e5f6',
    "/home/user-1/log /Users/Shared/log work-from-home-office",
    "[redacted:email-1] password=[redacted:password-2]",
    "docker run -u 1000:1000 x; deploy --token --force; ask --password Password; Cookie: on",
    "10.0.0.1 3f2a9c4e5b6d7f80a1b2c3d4e5f60718 lodash@4.17.21 @types/node",
]
"""Texts in which there is nothing to take out."""
