"""Values that an owner may give to a setting by mistake. Each contains `hush`, if it could contain a secret."""

from __future__ import annotations

SECRET = "hush"

BY_SETTING: dict[str, tuple[str, ...]] = {
    "token": ("", " ", "hush hush", "hush\n", "hush\r\n", "hüsh", "hush\u200b", '"hush"', "Bot hush", "hush" * 1000),
    "database": (
        *("PostgreSQL://motley:hush@host/motley", "POSTGRES://motley:hush@host/x", "postgres:/motley:hush@host"),
        *("postgresql+asyncpg://motley:hush@host/x", "mysql://motley:hush@host/x", "sqlite:///hush.db", "file:hush.db"),
        *("motley:hush@host/motley", "motley@hush/motley", "host=here password=hush dbname=motley", "//hush/motley"),
        *("postgresql://motley:hush@host:99999/x", "postgresql://motley:hush@host:0/x", "postgresql://m:hush@host:x/y"),
        *("postgresql://motley:hu#sh@host/x", "postgresql://motley:hu/sh@host/x", "postgresql://motley:hu?sh@host/x"),
        *("postgresql://motley:hu[sh@host/x", "postgresql://motley:hu@sh@host/x", "postgresql://m:hush@a,,b/x"),
        *("postgresql://motley:hush@first:1,second:70000/x", "postgresql://motley:hush@host/x?port=99999"),
        *("postgresql://motley:hush @host/x", "postgresql://motley:hush%00@host/x", "'postgresql://m:hush@host/x'"),
        *("~/hush.db", "$HOME/hush.db", "${HOME}/hush.db", "%APPDATA%/hush.db", "C:\\hush.db", "c:/hush.db", "a\\hush"),
        *("hush.db; 24", "hush/", "hush" * 100, "hush/" * 500 + "x", "hush.db\n", "./colon:hush.db", "hu sh/ö.db"),
    ),
    "backups": (
        *("hush; 24; 7", "hush,24;7", "hush 24 7", "hush:24:7", "hush, 24", "hush, 0, 7", "hush, 24, 7, 1", ", 24, 7"),
        *("s3://hush/motley", "user@hush:backups", "~/hush", "hush\\backups", "hush" * 100, "hush, 99999, 99999", "."),
        *("hush, 999999, 7", "hush, -1, 7", "hush, 2.5, 7", "hush, ٢٤, ٧"),
    ),
    "metrics": ("65535", "0", "70000", "65536", "99999", "-1", "+80", "80.0", "٨٠", "0x50", "http", "127.0.0.1:9464"),
    "keep_days": ("99999999999999999999", "36501", "36500", "-1", "1e3", "1.5", "forever", "٣", "9" * 5000),
    "shards": ("8", "all", "16/16", "3-2/9", "0-99999/100000", "auto", "0-0/1", "0/99999", "AUTO", "1/0", "٠/٤"),
    "api": (
        *(
            "https://hush",
            "http://host:99999",
            "http://host:0/api",
            "http://[",
            "http://[::1",
            "http://a..b",
            "ftp://x",
        ),
        *(
            "http://",
            "http://:80",
            "http://user:hush@host/",
            "http://host/?hush",
            "http://höst",
            "HTTP://host",
            "//host",
        ),
    ),
    "report_channel": ("#reports", "-1", "99999999999999999999", "<#5>", "1.5", str(2**63 - 1), str(2**63)),
    "contact": ("hush\nhush", "hush" * 26, "Ada\u2028hush", "\udc80", "@everyone", '"Ada"', "**Ada** 👩‍👩‍👧"),
    "commands": (
        "wizard=-",
        "wizard=jest, jest=wizard,",
        "motley=" + "x" * 32,
        "poker=hush",
        "wizard=jest",
        "wizard=Hush",
        "wizard",
        "=",
        "wizard=x;jest=y",
        "wizard=" + "x" * 33,
    ),
    "log_level": ("debug", "LOUD", "20", "WARN"),
    "logs": ("xml", "JSON", "text,json"),
}
NUMBERS = (
    "1",
    "10000",
    " 7 ",
    "",
    " ",
    "0",
    "-1",
    "many",
    "1.5",
    "10001",
    "99999999999999999999",
    "1 000",
    "1,000",
    "0x10",
    "٣",
)
PAGES = (
    "example.org",
    "ftp://hush",
    "https://a b",
    "https://x>y",
    "https://",
    "javascript:hush",
    "https://" + "x" * 201,
)
ANYWHERE = ("hush\n", "\thush", "hush\x7f", "hush\u2028", "\udcff", "\x1b[31mhush", "'hush'")


def nasty_values(setting: str) -> tuple[str, ...]:
    """Values for one setting."""
    special = BY_SETTING.get(setting, PAGES if setting in ("support", "terms", "privacy", "source") else NUMBERS)
    return (*special, *ANYWHERE)
