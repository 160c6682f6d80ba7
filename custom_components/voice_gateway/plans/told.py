"""Stub."""


def deed_told(hass, plan, now):
    return f"At {plan.due or plan.spoken.moment}: {plan.spoken.text}"


def end_told(hass, plan, now):
    return f"Until {plan.due or plan.when}"
