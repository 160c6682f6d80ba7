"""Plans that are for the same devices."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from .plan import Plan, StateSnapshot


def with_endings(plans: Mapping[str, Plan], added: Iterable[Plan]) -> dict[str, Plan]:
    """Return plans with others added to them, by their ids.

    Where something is done for a while to a device to which something is being done for a while already,
    the later end counts alone; then the device is as it was before the first.
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
    """Return plans that share no device apart from each other; those that do in their order."""
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
    """Return an ending with what another one would have put back, and take that from the other."""
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
    """Return how a device was before the first of two, if nobody changed it between them."""
    if first is None or later.state != (first.then or first.state):
        return later
    return replace(later, state=first.state, attributes=first.attributes)
