"""Files become live: only what changed, in any order of events, whatever fails on the way."""

import json

import pytest
from shopping_agent.application.chunking import product_chunk_id
from shopping_agent.errors import StateUnavailableError

OTHER = "catalog/others.jsonl"
GUIDE = "guides/delivery.en.md"


def rows(perfume, count=4):
    return [perfume(number) for number in range(1, count + 1)]


def test_a_new_catalog_is_live_indexed_and_reported(shop, perfume):
    report = shop.upload(rows(perfume))
    assert report.status == "applied"
    assert set(shop.live.facts) == {"p1", "p2", "p3", "p4"}
    assert shop.live.facts["p2"].price.regular == 10200
    assert {c.kind for c in shop.index.chunks.values()} == {"description", "notes", "usage"}
    assert all(chunk.source == "catalog/perfumes.jsonl" for chunk in shop.index.chunks.values())
    terms = shop.index.chunks[product_chunk_id("p1", 0)].terms
    assert {"lemon", "rose", "musk", "floral", "summer"} <= set(terms)
    counts = shop.reports()[0]["counts"]
    assert (counts["read"], counts["accepted"], counts["added"]) == (4, 4, 4)
    assert counts["embedded"] == len(shop.embedder.texts) == 12


def test_the_same_event_twice_changes_nothing(shop, perfume):
    shop.write(rows(perfume))
    event = shop.event()
    shop.apply(event)
    before, writes = shop.state(), shop.faults.calls
    assert shop.apply(event).status == "ignored"
    assert shop.state() == before
    assert shop.faults.calls == writes


def test_an_unchanged_file_uploaded_again_embeds_nothing(shop, perfume):
    shop.upload(rows(perfume))
    before, embedded = shop.state(), len(shop.embedder.texts)
    report = shop.upload(rows(perfume))
    assert shop.state() == before
    assert len(shop.embedder.texts) == embedded
    assert report.counts["unchanged"] == 4
    assert report.counts["embedded"] == 0


def test_a_changed_price_reaches_shoppers_and_filters_without_embedding(shop, perfume):
    shop.upload(rows(perfume))
    embedded = len(shop.embedder.texts)
    report = shop.upload([perfume(1, price=55, stock=0), *rows(perfume)[1:]])
    assert report.counts["repriced"] == 1
    assert len(shop.embedder.texts) == embedded
    assert shop.live.facts["p1"].price.regular == 5500
    assert shop.index.products["p1"].stock == 0


def test_facts_get_a_greater_revision_with_each_event(shop, perfume):
    shop.upload([perfume(1)])
    first = shop.live.facts["p1"].revision
    shop.upload([perfume(1, price=99)])
    assert shop.live.facts["p1"].revision > first > 0


def test_only_a_changed_text_is_embedded_and_its_old_chunks_go(shop, perfume):
    long = "\n".join(f"Sentence {n} of a long English description." * 20 for n in range(6))
    shop.upload([perfume(1, description=long), perfume(2)])
    chunks = {c.id for c in shop.index.chunks.values() if c.product.id == "p1"}
    assert len(chunks) > 4
    shop.embedder.texts.clear()
    report = shop.upload([perfume(1, description="Short now."), perfume(2)])
    assert report.counts["updated"] == 1
    assert all("Perfume 1" in text for text in shop.embedder.texts)
    left = [c.text for c in shop.index.chunks.values() if c.product.id == "p1"]
    assert len(left) == 3
    assert "Short now." in left


def test_a_row_that_disappeared_is_removed_everywhere(shop, perfume):
    shop.upload(rows(perfume))
    report = shop.upload(rows(perfume)[1:])
    assert report.counts["removed"] == 1
    assert "p1" not in shop.live.facts
    assert "p1" not in shop.index.products
    assert "p1" not in shop.manifest.states["catalog/perfumes.jsonl"].hashes


def test_a_bad_row_is_reported_by_line_and_stops_nothing(shop, perfume):
    report = shop.upload([perfume(1), "{broken", perfume(2, price="free!"), perfume(3)])
    assert set(shop.live.facts) == {"p1", "p3"}
    rejected = shop.reports()[0]["rejected"]
    assert [(r["line"], r["reasonCode"], r["id"]) for r in rejected] == [
        (2, "malformed_row", None),
        (3, "invalid_price", "p2"),
    ]
    assert all(r["hint"] for r in rejected)
    assert (report.counts["read"], report.counts["rejected"]) == (4, 2)


def test_a_live_product_whose_row_became_invalid_stays_as_it_was(shop, perfume):
    shop.upload(rows(perfume))
    report = shop.upload([perfume(1, price="?"), *rows(perfume)[1:]])
    assert report.counts["kept"] == 1
    assert report.counts["removed"] == 0
    assert shop.live.facts["p1"].price.regular == 10100
    assert shop.upload(rows(perfume)).counts["unchanged"] == 4


def test_of_two_rows_with_one_id_the_last_is_live_and_embedded_alone(shop, perfume):
    report = shop.upload([perfume(1, name="Old"), perfume(2), perfume(1, name="New")])
    assert shop.live.facts["p1"].name == "New"
    assert not any("Old" in text for text in shop.embedder.texts)
    assert [(r.line, r.reason_code) for r in report.rejected] == [(1, "duplicate_id")]
    assert (
        shop.upload([perfume(1, name="Old"), perfume(2), perfume(1, name="New")]).counts[
            "unchanged"
        ]
        == 2
    )


def test_a_file_that_would_delete_too_much_is_refused_whole(shop, perfume):
    shop.upload(rows(perfume))
    before = shop.state()
    report = shop.upload([perfume(1, price=1)])
    assert report.status == "refused"
    assert shop.state() == before
    document = shop.reports()[-1]
    assert document["error"]["code"] == "mass_deletion"
    assert "3 of 4" in document["error"]["message"]


def test_a_refused_file_is_accepted_once_the_limit_allows_it(shop, perfume):
    shop.upload(rows(perfume))
    shop.upload([perfume(1)])
    assert shop.apply(shop.event(), ratio=1.0).counts["removed"] == 3
    assert set(shop.live.facts) == {"p1"}


@pytest.mark.parametrize("content", ["", "colour;shape\nred;round\n", "PK\x03\x04zip", "<xml/>"])
def test_a_file_of_no_known_kind_is_refused_with_a_report(shop, perfume, content):
    shop.upload(rows(perfume))
    before = shop.state()
    assert shop.upload_text(content, "catalog/perfumes.jsonl").status == "refused"
    assert shop.state() == before
    assert shop.reports()[-1]["error"]["message"]


def test_a_removed_file_takes_its_products_along(shop, perfume):
    shop.upload(rows(perfume))
    report = shop.delete()
    assert report.counts["removed"] == 4
    assert not shop.live.facts
    assert not shop.index.chunks


def test_products_that_another_file_has_stay_when_a_file_is_renamed(shop, perfume):
    shop.upload(rows(perfume))
    shop.upload(rows(perfume), OTHER)
    shop.delete()
    assert set(shop.live.facts) == {"p1", "p2", "p3", "p4"}
    shop.delete(OTHER)
    assert not shop.live.facts


def test_an_older_event_after_a_newer_one_changes_nothing(shop, perfume):
    older, newer = shop.event(), shop.event()
    shop.write(rows(perfume))
    shop.apply(newer)
    before = shop.state()
    assert shop.apply(older).status == "ignored"
    assert shop.state() == before


def test_a_removal_that_arrives_before_an_older_creation_stands(shop, perfume):
    shop.upload(rows(perfume))
    created, removed = shop.event(), shop.event(removed=True)
    shop.objects.bodies.pop("catalog/perfumes.jsonl")
    shop.apply(removed)
    assert shop.apply(created).status == "ignored"
    assert not shop.live.facts


def test_the_removal_of_an_old_version_removes_nothing(shop, perfume):
    shop.upload(rows(perfume))
    report = shop.apply(shop.event(removed=True))
    assert report.counts["unchanged"] == 4
    assert len(shop.live.facts) == 4


def test_a_created_object_that_is_gone_again_removes_nothing_by_itself(shop, perfume):
    shop.upload(rows(perfume))
    shop.objects.bodies.pop("catalog/perfumes.jsonl")
    shop.apply(shop.event())
    assert len(shop.live.facts) == 4


def changed_rows(perfume):
    return [
        perfume(1),
        perfume(2, price=7),
        perfume(3, description="Other words."),
        perfume(5),
        perfume(6),
    ]


@pytest.mark.parametrize("after", [False, True], ids=["refused", "answer lost"])
def test_a_crash_at_any_write_is_repaired_by_delivering_the_event_again(new_shop, perfume, after):
    clean = new_shop()
    clean.upload(rows(perfume))
    first = clean.faults.calls
    clean.upload(changed_rows(perfume))
    writes = clean.faults.calls - first
    assert writes >= 6
    for number in range(1, writes + 1):
        shop = new_shop()
        shop.upload(rows(perfume))
        shop.write(changed_rows(perfume))
        shop.faults.fail_at, shop.faults.after = shop.faults.calls + number, after
        event = shop.event()
        with pytest.raises(StateUnavailableError):
            shop.apply(event)
        shop.apply(event)
        assert shop.state() == clean.state(), f"write {number}"


def test_a_crash_is_repaired_by_a_newer_file_too(new_shop, perfume):
    """The event that failed comes too late: the newer file must undo what it left half done."""
    final = [*rows(perfume)[:3], perfume(7)]
    clean = new_shop()
    clean.upload(rows(perfume))
    clean.upload(final)
    for number in range(1, 9):
        shop = new_shop()
        shop.upload(rows(perfume))
        shop.write(changed_rows(perfume))
        shop.faults.fail_at = shop.faults.calls + number
        late = shop.event()
        with pytest.raises(StateUnavailableError):
            shop.apply(late)
        shop.upload(final)
        assert shop.apply(late).status == "ignored"
        assert shop.state() == clean.state(), f"write {number}"


def test_an_event_that_is_overtaken_while_it_writes_stops(shop, perfume, monkeypatch):
    shop.write(rows(perfume, 120))
    older = shop.event()
    put = shop.live.put

    def overtaken(facts, deadline, **rest):
        put(facts, deadline, **rest)
        monkeypatch.setattr(shop.live, "put", put)
        shop.upload([perfume(1, price=3), perfume(200)], ratio=1.0)
        return []

    monkeypatch.setattr(shop.live, "put", overtaken)
    assert shop.apply(older).status == "ignored"
    assert set(shop.live.facts) == {"p1", "p200"}
    assert shop.live.facts["p1"].price.regular == 300


def test_another_embedding_model_embeds_everything_again(shop, perfume):
    shop.upload(rows(perfume))
    other = type(shop.embedder)(model="counting/2")
    report = shop.upload(rows(perfume), embedder=other)
    assert report.counts["updated"] == 4
    assert len(other.texts) == 12


def test_the_sizes_of_one_perfume_are_embedded_once(shop, perfume):
    sizes = [
        perfume(n, name=f"Dahab - {n}0 ml", variantOf="dahab", options={"size": f"{n}0 ml"})
        for n in (3, 5)
    ]
    shop.upload([{**row, "description": "Gold."} for row in sizes])
    assert len(shop.index.chunks) == 6
    assert len(shop.embedder.texts) == 3
    assert shop.embedder.texts[0] == "Dahab (Maison Test)\nGold."


def test_without_an_embedder_chunks_have_sparse_vectors_alone(shop, perfume, monkeypatch):
    shop.embedder = None
    shop.upload(rows(perfume))
    assert set(shop.index.dense.values()) == {None}


@pytest.mark.parametrize("key", ["reports/x.json", "staging/a.csv", "catalog/", "guides/a.txt"])
def test_objects_that_are_no_source_are_left_alone(shop, perfume, key):
    assert shop.upload(rows(perfume), key).status == "ignored"
    assert not shop.live.facts
    assert list(shop.objects.bodies) == [key]


def test_a_guide_is_indexed_by_section(shop):
    shop.upload_text("# Delivery\n\n## Agadir\nTwo days.\n\n## Rabat\nOne **day**.\n", GUIDE)
    chunks = list(shop.index.chunks.values())
    assert [(c.kind, c.guide, c.language, c.heading, c.text) for c in chunks] == [
        ("guide", "delivery", "en", "Agadir", "Two days."),
        ("guide", "delivery", "en", "Rabat", "One day."),
    ]
    assert not shop.live.facts
    assert shop.reports()[0]["counts"]["added"] == 2


def test_of_a_guide_only_the_changed_section_is_embedded_and_a_removed_one_goes(shop):
    shop.upload_text("# D\n## A\nOne.\n## B\nTwo.\n## C\nThree.\n", GUIDE)
    shop.embedder.texts.clear()
    report = shop.upload_text("# D\n## A\nOne.\n## B\nChanged.\n", GUIDE)
    assert shop.embedder.texts == ["B\nChanged."]
    assert report.counts["removed"] == 1
    assert [c.text for c in shop.index.chunks.values()] == ["One.", "Changed."]
    shop.delete(GUIDE)
    assert not shop.index.chunks


def test_a_report_lists_many_rejected_rows_up_to_a_limit(shop, perfume):
    shop.upload([perfume(1), *["{"] * 1200])
    document = shop.reports()[0]
    assert document["counts"]["rejected"] == 1200
    assert len(document["rejected"]) == 1000
    assert document["rejectedNotListed"] == 200
    assert json.dumps(document)


def test_an_event_that_is_overtaken_while_it_embeds_writes_nothing_over_the_newer_one(
    shop, perfume, monkeypatch
):
    shop.write(rows(perfume))
    older = shop.event()
    embed = shop.embedder.embed_passages

    def overtaken(texts, deadline):
        monkeypatch.setattr(shop.embedder, "embed_passages", embed)
        shop.upload([perfume(1, description="Newer words.")], ratio=1.0)
        return embed(texts, deadline)

    monkeypatch.setattr(shop.embedder, "embed_passages", overtaken)
    assert shop.apply(older).status == "ignored"
    assert set(shop.index.products) == {"p1"}
    assert shop.index.products["p1"].description == "Newer words."
