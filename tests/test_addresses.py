"""What of a server's settings is secret: what its owner entered, whatever it is called."""

import pytest

from custom_components.voice_gateway.addresses import is_public
from custom_components.voice_gateway.mcp_servers.secrets import redactor_of
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer

SECRET = "sunshine"


@pytest.mark.parametrize(
    "name", ["PASSPHRASE", "MY_PW", "COOKIE", "OTP", "SALT", "SEED", "MNEMONIC", "JWT", "GEHEIM"]
)
def test_value_of_the_environment_is_secret_whatever_its_name(name: str) -> None:
    redactor = redactor_of(CommandServer(command="server", env={name: SECRET}))
    assert redactor.text(f"It is {SECRET}.") == "It is ***."


@pytest.mark.parametrize(
    "args",
    [
        ("--pass", SECRET), ("-k", SECRET), ("--passcode", SECRET), ("--cookie", f"sid={SECRET}"),
        ("-e", f"API_KEY={SECRET}"), (f"--key={SECRET}",), ("--mot-de-passe", SECRET),
    ],
)  # fmt: skip
def test_value_of_an_option_is_secret(args: tuple[str, ...]) -> None:
    redactor = redactor_of(CommandServer(command="server", args=args))
    assert SECRET not in redactor.text(f"It got {' '.join(args)}.")
    assert SECRET not in redactor.text(f"sid {SECRET}")


@pytest.mark.parametrize("end", [f"?SharedAccessKey={SECRET}", f"?q={SECRET}", f"#{SECRET}"])
def test_query_and_fragment_of_an_address_are_secret(end: str) -> None:
    assert redactor_of(UrlServer(url=f"https://mcp.example/{end}")).text(SECRET) == "***"


def test_what_is_called_a_secret_is_one_whatever_its_value() -> None:
    for value in ("/9j4AAQSkZ", "production", "it-cat"):
        assert (
            redactor_of(CommandServer(command="server", env={"API_KEY": value})).text(value)
            == "***"
        )
        args = ("--token", value)
        assert redactor_of(CommandServer(command="server", args=args)).text(value) == "***"
        url = UrlServer(url=f"https://mcp.example/?token={value}")
        assert redactor_of(url).text(value) == "***"


def test_what_everybody_knows_is_no_secret() -> None:
    public = ("true", "de", "de_DE.UTF-8", "Europe/Berlin", "info", "/data/files", "127.0.0.1:8080")
    assert [*map(is_public, public)] == [True] * len(public)
    args = ("-y", "@scope/server@1.2", "--port", "80", "--tz", "Europe/Berlin")
    redactor = redactor_of(
        CommandServer(command="npx", args=args, env={"LANG": "de", "DEBUG": "false"})
    )
    text = "@scope/server in Europe/Berlin, de, false, 80"
    assert redactor.text(text) == text
    assert not is_public("4711")


def test_package_that_a_launcher_starts_is_no_secret() -> None:
    for line in (
        "npx -y some-mcp-server",
        "uvx --from house-tools house-mcp",
        "uv run --with house-tools --project garden house-mcp",
        "docker run -i --rm someone/garden-server",
        "python -m garden_server.main",
    ):
        command, *args = line.split()
        redactor = redactor_of(CommandServer(command=command, args=tuple(args)))
        assert redactor.text(line) == line
