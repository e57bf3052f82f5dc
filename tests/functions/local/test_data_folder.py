"""The folder of a stack's state."""

import json
import os
import stat
from pathlib import Path

import pytest

from functions.local.data_folder import DataFolder, StackError


def test_two_stacks_on_one_folder_are_refused_with_the_holders_pid(tmp_path: Path) -> None:
    first, second = DataFolder(tmp_path), DataFolder(tmp_path)
    first.lock()
    with pytest.raises(StackError, match=rf"pid {os.getpid()}.*make run DATA="):
        second.lock()
    first.release()
    second.lock()
    second.release()


def test_a_stack_that_could_not_start_leaves_the_facts_of_the_running_one(tmp_path: Path) -> None:
    running, refused = DataFolder(tmp_path), DataFolder(tmp_path)
    running.lock()
    running.write_stack({"pid": os.getpid(), "url": "http://127.0.0.1:1"})
    with pytest.raises(StackError, match=r"already runs on DATA=.* at http://127\.0\.0\.1:1;"):
        refused.lock()
    refused.release()
    assert refused.running_stack()["url"] == "http://127.0.0.1:1"
    running.release()


def test_a_folder_that_cannot_be_made_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StackError, match=r"Not a directory.*make run DATA="):
        DataFolder(tmp_path / "file" / "data").lock()


def test_the_session_secret_is_made_once_and_is_private(tmp_path: Path) -> None:
    secret = DataFolder(tmp_path).session_secret()
    assert len(secret) >= 43
    assert DataFolder(tmp_path).session_secret() == secret
    mode = stat.S_IMODE((tmp_path / "session-secret").stat().st_mode)
    assert mode == 0o600


def test_what_tools_read_of_a_running_stack_is_gone_when_it_stops(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    data.lock()
    data.write_stack({"pid": os.getpid(), "url": "http://127.0.0.1:1"})
    assert data.running_stack()["url"] == "http://127.0.0.1:1"
    data.release()
    with pytest.raises(StackError, match="make run"):
        data.running_stack()


def test_the_facts_of_a_stack_that_was_killed_are_not_believed(tmp_path: Path) -> None:
    (tmp_path / "stack.json").write_text(json.dumps({"pid": 2**22 + 1}))
    with pytest.raises(StackError, match="no local stack"):
        DataFolder(tmp_path).running_stack()
