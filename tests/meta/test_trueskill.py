"""TrueSkill updates equal the PyPI package trueskill 0.4.5 with backend="scipy" (SciPy 1.17.1).

`TrueSkill(mu=0, sigma=.5, beta=.25, tau=0, draw_probability=.25, backend="scipy")`, then `rate_1vs1(a, b, drawn=…)`.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filrouge.errors import UsageError
from filrouge.meta.judgments import Item
from filrouge.meta.pairs import Preference
from filrouge.meta.trueskill import TrueSkill

Skill = tuple[float, float]


@pytest.mark.parametrize(
    ("a", "b", "tied", "after_a", "after_b"),
    [
        ((0, 0.5), (0, 0.5), False, (0.281683344081, 0.428191340746), (-0.281683344081, 0.428191340746)),
        ((0.3, 0.2), (-0.1, 0.4), False, (0.335579754929, 0.193586642997), (-0.242319019719, 0.345850565353)),
        ((-1.5, 0.1), (1.2, 0.3), False, (-1.371615990140, 0.097808166994), (0.044543911260, 0.234267880853)),
        ((0.3, 0.2), (-0.1, 0.4), True, (0.251405919780, 0.187457810532), (0.094376320878, 0.286787188821)),
        ((-1, 0.3), (1, 0.3), True, (-0.417697730251, 0.252532233602), (0.417697730251, 0.252532233602)),
    ],
)  # fmt: skip
def test_update_equals_the_package(a: Skill, b: Skill, tied: bool, after_a: Skill, after_b: Skill) -> None:
    found_a, found_b = TrueSkill().update(a, b, tied=tied)
    assert found_a == pytest.approx(after_a, abs=1e-10)
    assert found_b == pytest.approx(after_b, abs=1e-10)


def games(*signs: int) -> list[Preference]:
    return [Preference(Item("d", i), "x", "y", sign) for i, sign in enumerate(signs)]


def test_winner_is_above_and_order_of_systems_does_not_matter() -> None:
    rows = games(1, 1, 1, -1, 0, 1)
    x, y = TrueSkill().scores(rows, ["x", "y"])
    assert x > 0 > y
    np.testing.assert_array_equal(TrueSkill().scores(rows, ["y", "x"]), [y, x])
    np.testing.assert_array_equal(TrueSkill().scores(rows, ["x", "y"]), [x, y])  # deterministic


def test_order_of_games_does_not_matter() -> None:
    rows = [*games(1, 1, 0, -1, 1, 1), *(Preference(Item("d", i), "w", "x", sign) for i, sign in enumerate((1, 0, -1)))]
    names = ["w", "x", "y"]
    np.testing.assert_array_equal(TrueSkill().scores(rows[::-1], names), TrueSkill().scores(rows, names))


def test_who_never_played_has_no_skill() -> None:
    x, y, z = TrueSkill().scores([*games(1), Preference(Item("d"), "w", "z", 1)], ["x", "y", "z"])
    assert np.isfinite([x, y]).all()
    assert np.isnan(z)
    assert np.isnan(TrueSkill().scores([], ["x"])).all()


def test_ties_draw_together() -> None:
    assert TrueSkill().scores(games(0, 0, 0), ["x", "y"]) == pytest.approx([0, 0])


@given(
    st.floats(-1e3, 1e3), st.floats(-1e3, 1e3), st.floats(1e-3, 10), st.floats(1e-3, 10), st.booleans(),
    st.sampled_from([0.0, 0.25, 0.9]),
)  # fmt: skip
def test_any_surprise(mu_a: float, mu_b: float, sigma_a: float, sigma_b: float, tied: bool, draw: float) -> None:
    """However far apart two are, skills stay finite and grow surer."""
    (new_a, spread_a), (new_b, spread_b) = TrueSkill(draw=draw).update((mu_a, sigma_a), (mu_b, sigma_b), tied=tied)
    assert np.isfinite([new_a, new_b]).all()
    assert 0 < spread_a <= sigma_a * (1 + 1e-9)
    assert 0 < spread_b <= sigma_b * (1 + 1e-9)


@pytest.mark.parametrize(
    "settings", [{"sigma": 0}, {"beta": -1}, {"tau": -1}, {"draw": 1}, {"passes": 0}, {"sigma": float("inf")}]
)
def test_settings_out_of_range(settings: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        TrueSkill(**settings)  # type: ignore[arg-type]


def test_an_utter_surprise_makes_skills_surer() -> None:
    """Where the tail is too small for a number, both corrections have their limits."""
    skill = TrueSkill(beta=0.01)
    spreads = [skill.update((-gap, 0.5), (gap, 0.5))[0][1] for gap in (1, 10, 25, 50, 1000)]
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[-1] == pytest.approx(spreads[2], rel=1e-3)
