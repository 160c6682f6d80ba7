"""Plans for the same devices: one revert per device, and groups that can run side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from .plan import Plan, StateSnapshot


def with_endings(plans: Mapping[str, Plan], added: Iterable[Plan]) -> dict[str, Plan]:
    """Return the plans, by id, with others added.

    If a device already has a revert planned, an added one replaces it: only the later end counts,
    and it restores the state before the first change.
    """
    kept = dict(plans)
    for plan in added:
        ending = plan
        for other in plans.values():
            if other.id != plan.id and (other := kept.get(other.id, other)).restore:
                ending = _taken_over(kept, ending, other)
        kept[plan.id] = ending
    return kept


def apart(plans: Iterable[Plan]) -> Sequence[Sequence[Plan]]:
    """Return groups of plans that share no device with each other; each group keeps its order."""
    groups: list[tuple[set[str], list[Plan]]] = []
    for plan in plans:
        targets, together = {*plan.targets}, [plan]
        for group in [each for each in groups if each[0] & targets]:
            groups.remove(group)
            targets |= group[0]
            together = [*group[1], *together]
        groups.append((targets, together))
    return [together for _, together in groups]


def _taken_over(kept: dict[str, Plan], plan: Plan, other: Plan) -> Plan:
    """Return a revert with the snapshots of another one for the same devices; remove them there."""
    first = {each.target: each for each in other.restore}
    mine = {each.target for each in plan.restore}
    left = tuple(each for each in other.restore if each.target not in mine)
    if left == other.restore:
        return plan
    if left:
        kept[other.id] = replace(other, restore=left)
    else:
        kept.pop(other.id, None)
    restore = tuple(_before_both(each, first.get(each.target)) for each in plan.restore)
    return replace(plan, restore=restore)


def _before_both(later: StateSnapshot, first: StateSnapshot | None) -> StateSnapshot:
    """Return the snapshot before the first of two changes, unless the state changed in between."""
    if first is None or later.state != (first.then or first.state):
        return later
    return replace(later, state=first.state, attributes=first.attributes)
