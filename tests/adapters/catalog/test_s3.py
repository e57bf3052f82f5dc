"""The bucket's adapter against the local stand-in, and its failures."""

import pytest
from shopping_agent.adapters.catalog.s3 import S3ObjectStore
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, ObjectsUnavailableError

from functions.local.bucket_mirror import BucketMirror, MirroredObject

pytestmark = pytest.mark.slow


@pytest.fixture
def store(aws_stack):
    return S3ObjectStore(endpoint_url=aws_stack.url)


@pytest.fixture
def deadline():
    return Deadline.after(20)


def test_an_object_is_written_read_and_listed(store, deadline):
    store.put("catalog", "catalog/é 1.csv", b"id,name", deadline, content_type="text/csv")
    stored = store.open("catalog", "catalog/é 1.csv", deadline)
    with stored.body as body:
        assert body.read(3) == b"id,"
        assert body.read() == b"name"
    assert stored.size == 7
    assert stored.etag.isalnum()
    assert list(store.keys("catalog", "catalog/", deadline)) == ["catalog/é 1.csv"]
    assert list(store.keys("catalog", "nothing/", deadline)) == []


def test_many_keys_come_page_by_page(own_aws_stack, deadline):
    own_aws_stack.kill()
    mirror = BucketMirror(own_aws_stack.data)
    for number in range(1003):
        mirror.write(MirroredObject("catalog", f"staging/{number:04}", "01", "ObjectCreated:Put"))
    own_aws_stack.start()
    store = S3ObjectStore(endpoint_url=own_aws_stack.url)
    assert len(list(store.keys("catalog", "staging/", deadline))) == 1003


def test_an_object_that_is_gone_is_none_and_an_old_version_can_be_read(store, aws_stack, deadline):
    assert store.open("catalog", "catalog/never", deadline) is None
    store.put("catalog", "catalog/a", b"one", deadline, content_type="text/csv")
    client = aws_stack.client("s3")
    version = client.head_object(Bucket="catalog", Key="catalog/a")["VersionId"]
    client.delete_object(Bucket="catalog", Key="catalog/a")
    assert store.open("catalog", "catalog/a", deadline) is None
    stored = store.open("catalog", "catalog/a", deadline, version=version)
    with stored.body as body:
        assert body.read() == b"one"


def test_objects_are_deleted_and_those_that_are_gone_already_are_no_error(store, deadline):
    for name in "abc":
        store.put("catalog", f"staging/{name}", b"x", deadline, content_type="text/plain")
    store.delete("catalog", ["staging/a", "staging/b", "staging/never"], deadline)
    store.delete("catalog", [], deadline)
    assert list(store.keys("catalog", "staging/", deadline)) == ["staging/c"]


def test_what_the_writer_said_of_an_object_comes_along(store, aws_stack, deadline):
    client = aws_stack.client("s3")
    client.put_object(Bucket="catalog", Key="catalog/a", Body=b"x", Metadata={"Force": "true"})
    stored = store.open("catalog", "catalog/a", deadline)
    with stored.body:
        assert stored.metadata == {"force": "true"}


def test_a_bucket_that_is_missing_or_down_is_unavailable(own_aws_stack, deadline):
    store = S3ObjectStore(endpoint_url=own_aws_stack.url)
    with pytest.raises(ObjectsUnavailableError, match="NoSuchBucket"):
        store.open("nowhere", "a", deadline)
    own_aws_stack.kill()
    with pytest.raises(ObjectsUnavailableError):
        store.put("catalog", "a", b"", deadline, content_type="text/csv")
    with pytest.raises(ObjectsUnavailableError):
        list(store.keys("catalog", "", deadline))


def test_nothing_is_begun_after_the_deadline(store):
    with pytest.raises(DeadlineExceededError):
        store.open("catalog", "a", Deadline.after(-1))


def test_a_store_pack_is_loaded_from_a_bucket_file_by_file(store, aws_stack, deadline):
    pack = b'{"name": "Bucket Shop", "currency": "EUR", "languages": [], "contacts": {"whatsapp": "w", "phone": "p", "email": "e", "hours": {}}, "suggestions": {}, "aiNotice": {}}'
    store.put("catalog", "packs/one/store.json", pack, deadline, content_type="application/json")
    loaded = load_store_pack("s3://catalog/packs/one", endpoint_url=aws_stack.url)
    assert (loaded.name, loaded.currency) == ("Bucket Shop", "EUR")
    assert loaded.prompts == load_store_pack().prompts
