import pytest
from shopping_agent.http.files import StaticFolder, swagger_files


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "page.html").write_text("<p>مرحبا</p>", encoding="utf-8")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "photo.png").write_bytes(b"\x89PNG")
    (tmp_path / ".secret").write_text("x")
    return StaticFolder(tmp_path)


def test_a_file_has_its_type_a_policy_and_a_tag(folder) -> None:
    reply = folder.get("page.html").reply({})
    assert (reply.status, reply.body) == (200, "<p>مرحبا</p>")
    assert reply.content_type == "text/html; charset=utf-8"
    assert "frame-ancestors 'none'" in reply.headers["Content-Security-Policy"]
    assert reply.headers["ETag"]


def test_a_file_that_the_client_has_is_not_sent_again(folder) -> None:
    tag = folder.get("page.html").etag
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        reply = folder.get("page.html").reply({"if-none-match": known})
        assert (reply.status, reply.body) == (304, "")
    assert folder.get("page.html").reply({"if-none-match": '"other"'}).status == 200


def test_binary_files_are_sent_as_bytes(folder) -> None:
    reply = folder.get("a/photo.png").reply({})
    assert (reply.body, reply.content_type) == (b"\x89PNG", "image/png")


@pytest.mark.parametrize(
    "name", ["../page.html", ".secret", "a", "", "a/../page.html", "/page.html"]
)
def test_nothing_but_the_listed_files_exists(folder, name) -> None:
    assert folder.get(name) is None


def test_swagger_is_there() -> None:
    assert all(len(file.content) > 10_000 for file in swagger_files().values())
