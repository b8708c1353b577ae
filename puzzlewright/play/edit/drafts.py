"""The texts that a page of `edit` has asked about, each by the digest of its words: an answer names the text that it is
about, so that it cannot be taken for one about another."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from threading import Lock

from puzzlewright.files.on_disk import digest
from puzzlewright.play.catalogue import NOT_FOUND, Catalogue, Chosen
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.wire import BadRequest, Body, number, optional_text, text

KEPT_TEXTS, KEPT_GAMES = 32, 3
MOST_LETTERS, MOST_BYTES = 1 << 21, 1 << 24  # of a text, of a request; the reader refuses larger files in words
SEEDS = 1 << 31


class Drafts(Catalogue):
    """A catalogue of texts that are written just now: a game is one of a revision."""

    def __init__(self, chosen: Chosen) -> None:
        super().__init__(chosen)
        self.game = lru_cache(KEPT_GAMES)(Game)
        self.texts: OrderedDict[str, str] = OrderedDict()
        self.lock = Lock()

    def hold(self, words: str) -> str:
        """Keep the text for the questions that follow; its revision."""
        revision = digest(words.encode())
        with self.lock:
            self.texts[revision] = words
            self.texts.move_to_end(revision)
            while len(self.texts) > KEPT_TEXTS:
                self.texts.popitem(last=False)
        return revision

    def source(self, body: Body) -> GameSource:
        """The level of the text that a request is about."""
        revision = text(body, "revision")
        words = self._held(revision)
        assert self.chosen is not None
        seed = number(body, "seed", 0, -SEEDS, SEEDS)
        return GameSource(words, self.chosen.source, optional_text(body, "level"), seed,
                          metric=optional_text(body, "metric"))  # fmt: skip

    _source = source

    def _held(self, revision: str) -> str:
        """The text, which stays while somebody asks about it."""
        with self.lock:
            if revision not in self.texts:
                raise BadRequest(NOT_FOUND, "this text is not known here any more")
            self.texts.move_to_end(revision)
            return self.texts[revision]
