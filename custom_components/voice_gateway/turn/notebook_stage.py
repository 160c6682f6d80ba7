"""Requests to the notebook, and questions that a note answers, without the model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from homeassistant.helpers import llm
from homeassistant.util.ulid import ulid_now

from ..models.client import ModelError, Reason
from ..names.matching import words, words_apart
from ..nlu.clause import DialogueAct
from ..nlu.entity_linking import EntityLinker
from ..nlu.note_requests import NoteRequest
from ..nlu.routines import Routine
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..notebook.alias import AliasTool, split_naming
from ..notebook.matching import about, answering, routine_of, with_weekday
from ..notebook.notebook import LONGEST, NOTEBOOK, MentionedNotes, Notebook, NotebookEntry
from ..notebook.tools import NotebookTool
from ..speaker import speaker_of
from ..tools.consent import PendingCall
from ..tools.policy.decisions import Ask
from .answer import PrepareAnswer
from .chat import Chat

_MOST: Final = 4
"""The most notes that are read out."""
_QUESTIONS: Final = (NoteRequest.WHEN, NoteRequest.QUESTION)


@dataclass(frozen=True)
class NotebookStage:
    """Remembers, forgets and tells notes.

    - What is remembered are the user's own words in this sentence; the last answer only after a
      question that reads it out.
    - A question about something in the home is never answered with a note.
    - A command beside it, a server's tool that remembers, and any uncertainty are left to the model.
    """

    chat: Chat
    heard: Utterance
    prepared: PrepareAnswer
    """Collects the agent's tools."""
    is_for_questions: bool = False
    """Whether it answers questions with notes; else it carries out requests to the notebook."""

    async def async_answer(self) -> bool:
        """Answer, if the sentence certainly is for the notebook; return whether it is."""
        if not self.is_for_questions and (routine := self._routine):
            self.chat.report.reflex = await self._learn(routine)
            return self.chat.report.reflex
        asked = self.heard.exact_question
        # "Who is allergic to nuts" asks Home Assistant who is at a place of that name.
        if self.heard.exact_command or (asked and asked.slots.get("domain") != "person"):
            return False
        request = self.heard.text.layer(NoteRequest.parse)
        if self.is_for_questions:
            is_done = request is not None and await self._tell_answer(*request)
        else:
            is_done = await self._forget_picked() or (
                request is not None and await self._do(*request)
            )
        self.chat.report.reflex = is_done
        return is_done

    async def _do(self, act: NoteRequest, words: Text) -> bool:
        match act:
            case NoteRequest.REMEMBER | NoteRequest.REMEMBER_FACT if not self._has_command(words):
                return await self._remember(words)
            case NoteRequest.REMEMBER_ANSWER:
                return await self._ask_to_remember()
            case NoteRequest.CORRECT:
                return await self._correct(words)
            case NoteRequest.FORGET_LAST:
                return await self._forget(self._mentioned)
            case NoteRequest.FORGET | NoteRequest.FORGET_MAYBE:
                return await self._forget_about(act, words)
            case NoteRequest.NAMING:
                return await self._name(words)
            case NoteRequest.ROUTINES:
                found = [each for each in self._entries if self._routine_of(each)]
                return await self._tell(found, "routines_none")
            case NoteRequest.LISTING:
                return await self._tell(self._entries, "notes_none")
            case NoteRequest.ABOUT:
                return await self._tell(about(self._entries, words), "note_unknown")
        return False

    # Requests

    async def _learn(self, routine: Routine) -> bool:
        """Note a routine, in place of those with the same phrase; return whether that is certain."""
        text = self.heard.text
        if len(text) > LONGEST:
            return False
        known = [(each, self._routine_of(each)) for each in self._entries]
        same = [each for each, other in known if other and other.is_said(routine.phrase)]
        entry = self._entry(text, is_foreign=False)
        await self._change(add=[entry], remove=same)
        await self._say("routine_kept", [entry], phrase=routine.phrase)
        return True

    async def _remember(self, text: Text) -> bool:
        tools = (await self.prepared(self.heard)).tools.manager
        if len(text) > LONGEST or any(
            _remembers(each) for _, own in tools.of_others for each in own
        ):
            return False
        same = [each for each in self._entries if words(each.text) == words(text)]
        entry = self._entry(text, is_foreign=False)
        await self._change(add=[entry], remove=same)
        await self._say("note_kept", [entry])
        return True

    async def _name(self, text: Text) -> bool:
        """Give a device another name; return whether the text certainly is for that."""
        home = self.heard.home
        found = split_naming(text, home)
        tool = AliasTool.of(self.chat.hass, *found, home) if found else None
        if tool is None:
            return False
        await self._call(tool, tool.question)
        await self.chat.say_text("alias_kept", tool.told)
        return True

    async def _ask_to_remember(self) -> bool:
        """Ask whether to remember the last answer, which may have third-party text."""
        text = self.heard.context.answer
        if not 0 < len(text) <= LONGEST:
            return False
        tool = NotebookTool(add=[self._entry(text, is_foreign=True)])
        answer = await self.prepared(self.heard)
        answer.tools.ask_whether(tool, llm.ToolInput(tool.name, {}), tool.question)
        await answer.ask()
        return True

    async def _correct(self, day: Text) -> bool:
        """Give the only note of the last answer another weekday; return whether it has one."""
        match self._mentioned:
            case [old] if text := with_weekday(old.content, day):
                entry = replace(old, id=ulid_now(), text=text)
                await self._change(add=[entry], remove=[old])
                await self._say("note_kept", [entry])
                return True
        return False

    async def _forget_picked(self) -> bool:
        """Forget the notes that a reply to the question selects; return whether it was one."""
        last = self._last
        if last is None or not last.is_question:
            return False
        text = self.heard.text
        is_all = not text.language.universal_quantifiers.isdisjoint(text.words)
        picked = self._mentioned if is_all else about(self._mentioned, text)
        return (is_all or len(picked) == 1) and await self._forget(picked)

    async def _forget_about(self, act: NoteRequest, words: Text) -> bool:
        found = about(self._entries, words)
        if act is NoteRequest.FORGET_MAYBE and self.heard.link(words).has_mention:
            return False
        if not found and act is NoteRequest.FORGET:
            await self.chat.say_text("note_unknown")
            return True
        if len(found) > 1:
            await self._say("note_which", found, is_question=True)
            return True
        return await self._forget(found)

    async def _forget(self, found: Sequence[NotebookEntry]) -> bool:
        if found:
            await self._change(remove=found)
            await self._say("note_forgotten", found)
        return bool(found)

    async def _change(
        self, *, add: Sequence[NotebookEntry] = (), remove: Sequence[NotebookEntry] = ()
    ) -> None:
        """Change the notebook by a call, so that it can be undone. Raises ModelError if it fails."""
        tool = NotebookTool(add=add, remove=remove)
        await self._call(tool, tool.question)

    async def _call(self, tool: llm.Tool, ask: Ask) -> None:
        """Call a tool as the user asked. Raises ModelError if it fails."""
        call = llm.ToolInput(tool.name, {})
        consent = (await self.prepared(self.heard)).tools.consent
        done = await self.chat.call(consent.grant(PendingCall(tool, call, ask)))
        if done.error:
            raise ModelError(Reason.NOT_DONE)

    # Answers

    async def _tell_answer(self, act: NoteRequest, words: Text) -> bool:
        """Answer a question with the notes that certainly answer it; return whether there are."""
        meant = self.heard.link(self.heard.text)
        if act not in _QUESTIONS or meant.mentioned or meant.areas or self._is_of_home(meant):
            return False
        found = answering(self._entries, words, wants_time=act is NoteRequest.WHEN)
        return bool(found) and await self._tell(found, "")

    def _is_of_home(self, meant: EntityLinker) -> bool:
        """Return True if a question may be about a device: of bulbs, only in a home with lights."""
        domains = {each.domain for each in self.heard.home.entities}
        return bool(meant.named) or any(not domains.isdisjoint(x.domains) for x in meant.categories)

    async def _tell(self, found: Sequence[NotebookEntry], none: str) -> bool:
        if found:
            await self._say("note_told", found)
        else:
            await self.chat.say_text(none)
        return True

    async def _say(
        self,
        key: str,
        found: Sequence[NotebookEntry],
        *,
        is_question: bool = False,
        phrase: str = "",
    ) -> None:
        """Say a text of ours with some notes."""
        notes = "; ".join(each.text.rstrip(" .;") for each in found[:_MOST])
        text = await self.chat.our_text(key, {"notes": notes, "phrase": phrase})
        if (more := len(found) - _MOST) > 0:
            text = f"{text} {await self.chat.our_text('plans_more', {'count': str(more)})}"
        say = self.chat.retell if any(each.is_foreign for each in found) else self.chat.say
        await say(text)
        mentioned = MentionedNotes(text, [each.id for each in found], is_question)
        self._notebook.mentioned[self.chat.log.conversation_id] = mentioned

    # Notes

    @cached_property
    def _notebook(self) -> Notebook:
        return self.chat.hass.data[NOTEBOOK]

    @property
    def _owner(self) -> str | None:
        return speaker_of(self.chat.hass, self.chat.said.context.user_id)

    @property
    def _entries(self) -> Sequence[NotebookEntry]:
        """The notes of the speaker, the newest first."""
        return self._notebook.of(self._owner)

    @property
    def _routine(self) -> Routine | None:
        """The routine in the sentence, if that names something in the home."""
        found = Routine.of(self.heard.text, self.heard.parsed)
        return found if found and self.heard.link(found.sentence).has_mention else None

    def _routine_of(self, entry: NotebookEntry) -> Routine | None:
        return routine_of(entry, self.heard.home.names)

    @property
    def _last(self) -> MentionedNotes | None:
        """The notes in the answer right before; None if it was about something else."""
        last = self._notebook.mentioned.get(self.chat.log.conversation_id)
        before = self.heard.context.answer
        return last if last and before and last.answer.endswith(before) else None

    @property
    def _mentioned(self) -> Sequence[NotebookEntry]:
        ids = self._last.ids if self._last else ()
        return [each for each in self._entries if each.id in ids]

    def _has_command(self, note: Text) -> bool:
        """Return True if a command for the home stands beside the request, or is the note."""
        is_first = self.heard.text.startswith(note)
        return any(
            each.act is DialogueAct.COMMAND and self.heard.link(each.command).has_mention
            for each in self.heard.parsed.clauses[not is_first :]
        )

    def _entry(self, text: Text, *, is_foreign: bool) -> NotebookEntry:
        return NotebookEntry(
            text=str(text), language=text.code, owner=self._owner, is_foreign=is_foreign
        )


def _remembers(tool: llm.Tool) -> bool:
    """Return True if a tool stores something, by its English name."""
    return Text(words_apart(tool.name), "en").says("tool_verbs.remembers")
