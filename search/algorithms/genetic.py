"""Genetic search: breed sequences of actions and keep what comes closest to the goal (Holland 1975).

An individual is a fixed number of integer genes; at the state it has reached, gene g picks the (g mod k)-th of the k
applicable operators, so that every sequence of genes is a sequence of applicable operators. What counts is its best
prefix: a goal before any h, then the lowest h, then the fewest steps. Each generation keeps its best individual and
breeds the others from selected pairs by one-point crossover and mutation. Incomplete; the same seed gives the same
plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, NamedTuple

from models.frozen import frozen
from search.options import POSITIVE, SHARE, Options, Setting, at_least, one_of
from search.space import Found, Operator, SearchSpace, State

if TYPE_CHECKING:
    from random import Random

GENE_VALUES = 1 << 16  # far more than operators applicable at once, so that the modulus hardly prefers any
TOURNAMENT_SIZE = 3

Genes = tuple[int, ...]


class Fitness(NamedTuple):
    """Of one prefix; the smallest is the fittest."""

    missed: bool  # not a goal
    h: int
    steps: int


class Individual(NamedTuple):
    """Genes and what became of them."""

    fitness: Fitness
    genes: Genes
    plan: Found  # the best prefix; a plan unless the goal was missed


Selection = Callable[["Random", list[Individual]], Individual]


@frozen(eq=True)
class Breeding(Options):
    population: Annotated[int, Setting("individuals per generation", at_least(2))] = 200
    generations: Annotated[int, Setting("most generations", POSITIVE)] = 200
    length: Annotated[int, Setting("genes of an individual", POSITIVE)] = 50
    mutation_rate: Annotated[float, Setting("probability that a gene is drawn anew", SHARE)] = 0.05
    selection: Annotated[str, Setting("tournament or roulette", one_of("tournament", "roulette"))] = "tournament"
    seed: Annotated[int, Setting("of the random numbers")] = 0


def genetic(space: SearchSpace, options: Breeding) -> Found | None:
    """The shortest plan of the first generation that has one, or None if no generation has."""
    from random import Random  # the command line reads this file for its options

    random = Random(options.seed)
    genes = [draw_genes(random, options.length) for _ in range(options.population)]
    for generation in range(1, options.generations + 1):
        space.statistics.extra["generations"] = generation
        population = live(space, genes)
        if plan := plan_of(population):
            return plan
        genes = [fittest(population).genes, *(breed(random, population, options) for _ in genes[1:])]
    return None


def live(space: SearchSpace, genes: list[Genes]) -> list[Individual]:
    """Evaluate a generation; a plan is in hand as soon as one individual has found it."""
    population: list[Individual] = []
    space.plan_in_hand = lambda: plan_of(population)
    for sequence in genes:
        population.append(develop(space, sequence))
    return population


def plan_of(population: list[Individual]) -> Found | None:
    """The shortest plan among the individuals, if any has reached a goal."""
    if not population or (best := fittest(population)).fitness.missed:
        return None
    return best.plan


def fittest(population: list[Individual]) -> Individual:
    return min(population, key=lambda individual: individual.fitness)


def develop(space: SearchSpace, genes: Genes) -> Individual:
    """Follow the genes to a goal, a dead end or their end, and note the best prefix."""
    state = space.initial
    operators: list[Operator] = []
    costs: list[int] = []
    best = fitness_of(space, state, 0)
    for gene in genes:
        successors = space.expand(state, len(operators)) if best.missed else []
        if not successors:
            break
        operator, state, cost = successors[gene % len(successors)]
        operators.append(operator)
        costs.append(cost)
        best = min(best, fitness_of(space, state, len(operators)))
    return Individual(best, genes, Found(tuple(operators[: best.steps]), sum(costs[: best.steps])))


def fitness_of(space: SearchSpace, state: State, steps: int) -> Fitness:
    return Fitness(not space.is_goal(state), space.h(state), steps)


def breed(random: Random, population: list[Individual], options: Breeding) -> Genes:
    """A child of two selected parents."""
    select = SELECTIONS[options.selection]
    mother, father = select(random, population).genes, select(random, population).genes
    cut = random.randrange(options.length + 1)
    return mutate(random, mother[:cut] + father[cut:], options.mutation_rate)


def mutate(random: Random, genes: Genes, rate: float) -> Genes:
    return tuple(random.randrange(GENE_VALUES) if random.random() < rate else gene for gene in genes)


def draw_genes(random: Random, length: int) -> Genes:
    return tuple(random.randrange(GENE_VALUES) for _ in range(length))


def tournament(random: Random, population: list[Individual]) -> Individual:
    """The fittest of a few drawn at random."""
    return fittest(random.choices(population, k=TOURNAMENT_SIZE))


def roulette(random: Random, population: list[Individual]) -> Individual:
    """Drawn with a probability in proportion to 1 / (1 + h)."""
    weights = [1 / (1 + max(0, individual.fitness.h)) for individual in population]
    return random.choices(population, weights)[0]


SELECTIONS: dict[str, Selection] = {"tournament": tournament, "roulette": roulette}
