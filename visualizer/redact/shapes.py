"""Secrets that are known by their own shape.

Prefixes and lengths are those that vendors publish and that public detectors (gitleaks,
detect-secrets, trufflehog, GitHub's secret scanning) look for. Where they ask for an exact
length, these ask for less: what goes without need is little loss, what stays is not had back.
A prefix that is rare enough is found inside a word, too.

Each pattern begins with fixed characters and then takes a run that can't fail any more, or is
bounded, so that no text takes more than linear time.
"""

from __future__ import annotations

import re

from visualizer.redact.rule import Found, Rule

_PEM_MARK = r"[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----"


def _holds_a_key(found: Found) -> bool:
    return re.search(r"[A-Za-z0-9+/=]{20}", found[0].partition("PRIVATE KEY")[2]) is not None


_PREFIXED: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    (
        "anthropic-key",
        "Anthropic API keys and OAuth tokens: sk-ant-, a kind, some 95 characters",
        ("sk-ant-",),
        r"sk-ant-[A-Za-z0-9_-]{16,}+",
    ),
    (
        "openai-key",
        "OpenAI keys (sk-, sk-proj-, sk-svcacct-, sk-admin-) and others that begin with sk-",
        ("sk-",),
        r"sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}+"
        r"|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}+"
        r"|(?<![A-Za-z0-9_-])sk-(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,}+[A-Za-z0-9_-]*+",
    ),
    (
        "github-token",
        "GitHub tokens: ghp_, gho_, ghu_, ghs_, ghr_ and 36 characters, github_pat_ and 82",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"gh[pousr]_[A-Za-z0-9]{20,}+|github_pat_[A-Za-z0-9_]{20,}+",
    ),
    (
        "gitlab-token",
        "GitLab tokens: glpat- and its kin with 20 characters or more",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glagent-", "glsoat-", "glcbt-"),
        r"gl(?:pat|dt|rt|ptt|agent|soat|cbt)-[A-Za-z0-9_.-]{20,}+",
    ),
    (
        "aws-key-id",
        "AWS access key ids: AKIA, ASIA, ABIA, ACCA and 16 characters",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16,}+",
    ),
    (
        "google-key",
        "Google API keys (AIza and 35 characters), OAuth tokens (ya29.), client secrets (GOCSPX-)",
        ("AIza", "ya29.", "GOCSPX-"),
        r"(?:AIza|GOCSPX-|ya29\.)[A-Za-z0-9_-]{20,}+",
    ),
    (
        "slack-token",
        "Slack tokens (xoxb-, xoxp- ..., xapp-) and webhooks",
        ("xox", "xapp-", "hooks.slack.com"),
        r"xox[abeoprs]-[A-Za-z0-9-]{10,}+|xapp-[0-9]-[A-Za-z0-9-]{10,}+"
        r"|hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,}+",
    ),
    (
        "stripe-key",
        "Stripe secret and restricted keys: sk_live_, rk_live_, their test twins, whsec_",
        ("k_live_", "k_test_", "k_prod_", "whsec_"),
        r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}+|whsec_[A-Za-z0-9+/=]{16,}+",
    ),
    (
        "huggingface-token",
        "Hugging Face tokens: hf_ or api_org_ and 34 letters",
        ("hf_", "api_org_"),
        r"(?:hf|api_org)_[A-Za-z0-9]{30,}+",
    ),
    (
        "npm-token",
        "npm access tokens: npm_ and 36 characters",
        ("npm_",),
        r"npm_[A-Za-z0-9]{30,}+",
    ),
    (
        "pypi-token",
        "PyPI upload tokens: pypi-AgE and 50 characters or more",
        ("pypi-AgE",),
        r"pypi-AgE[A-Za-z0-9_-]{50,}+",
    ),
    (
        "jwt",
        "JSON web tokens: two or three parts in base64, the first two of them objects",
        (".eyJ",),
        r"(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}+|eyJ[A-Za-z0-9_-]{8,400}+)"
        r"\.eyJ[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+)?",
    ),
)

SHAPES: tuple[Rule, ...] = (
    Rule(
        "private-key",
        "PEM and PGP private keys: the whole block, also with its line ends written \\n",
        ("PRIVATE KEY",),
        re.compile(
            rf"-----BEGIN{_PEM_MARK}(?:(?!-----END)[A-Za-z0-9+/=\s\\,:.→|-]){{0,16384}}+"
            rf"(?:-----END{_PEM_MARK})?"
        ),
        _holds_a_key,
    ),
    *(Rule(kind, why, hints, re.compile(shape)) for kind, why, hints, shape in _PREFIXED),
)
