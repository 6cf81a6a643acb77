import { describe, expect, test } from 'vitest'
import { stepSizes } from './step-size.ts'

const started = () => {
  let now = 0
  const sizes = stepSizes({ monotonicMs: () => now })
  return {
    sizes,
    wait: (ms: number): void => {
      now += ms
    },
    /** Walks a step of the current size that takes this long, and returns the next size. */
    walk: (msOf: (people: number) => number): number => {
      const people = sizes.ofWalk()
      sizes.noteWalk({ people, ms: msOf(people) })
      return sizes.ofWalk()
    },
  }
}
/** Steps of a process that has walked for a while, with that many people. */
const warm = (people: number) => {
  const steps = started()
  while (steps.sizes.ofWalk() < 250) steps.walk(() => 1)
  while (steps.sizes.ofWalk() < people) steps.walk(() => 1)
  steps.sizes.noteWalk({ people: steps.sizes.ofWalk(), ms: (35 * steps.sizes.ofWalk()) / people })
  expect(steps.sizes.ofWalk()).toBe(people)
  return steps
}

describe('the next step', () => {
  test.each([
    ['grows by a quarter if it was fast', 400, 10, 500],
    ['stays if it took as long as intended', 400, 35, 400],
    ['shrinks if it was slow', 800, 70, 400],
    ['has 250 people after one very slow step', 400, 10_000, 250],
    ['has at most 1,000 people', 1_000, 1, 1_000],
    ['grows if no time could be measured', 400, 0, 500],
  ])('%s', (_title, people, ms, size) => {
    expect(warm(people).walk(() => ms)).toBe(size)
  })
})

describe('the steps of a process', () => {
  test('are small at first, and grow, regardless of their duration', () => {
    const { sizes, walk } = started()
    expect(sizes.ofWalk()).toBe(50)
    expect(walk(() => 1)).toBe(63)
    expect(walk(() => 10_000)).toBe(79)
  })

  test('are small again after a minute without a walk', () => {
    const { sizes, wait, walk } = started()
    walk(() => 1)
    wait(60_000)
    expect(sizes.ofWalk()).toBe(63)
    wait(60_001)
    expect(sizes.ofWalk()).toBe(50)
  })

  test('grow up to 250 by the campaign’s own work', () => {
    const { sizes } = started()
    for (let i = 0; i < 20; i++) sizes.noteOwn()
    expect(sizes.ofOwn()).toBe(250)
  })

  test('shrink to 50 people on a disk on which each person takes 2 ms, and grow when it is fast again', () => {
    const { sizes, walk } = warm(500)
    const slow = (people: number) => people * 2
    const sizesSeen = Array.from({ length: 6 }, () => walk(slow))
    expect(sizesSeen).toEqual([250, 250, 50, 50, 50, 50])
    for (let i = 0; i < 30; i++) walk(() => 5)
    expect(sizes.ofWalk()).toBe(1_000)
  })

  test('do not shrink below 250 because of a single stall, which two steps may meet', () => {
    const { walk } = warm(500)
    for (let i = 0; i < 10; i++) {
      expect(walk(() => 400)).toBe(250)
      expect(walk(() => 400)).toBe(250)
      walk(() => 30)
    }
  })

  test('stay at 250 people if fewer people take as long, and try fewer once in 20 steps', () => {
    const { walk } = warm(500)
    const sizesSeen = Array.from({ length: 100 }, () => walk(() => 120))
    expect(sizesSeen.slice(0, 5)).toEqual([250, 250, 73, 250, 250])
    expect(sizesSeen.filter((people) => people < 250).length).toBeLessThan(7)
  })

  test('that were kept smaller shrink if they were slow, and never grow', () => {
    const { sizes } = warm(500)
    sizes.noteWalk({ people: 200, ms: 5 })
    expect(sizes.ofWalk()).toBe(500)
    for (const _ of [1, 2]) sizes.noteWalk({ people: 200, ms: 100 })
    expect(sizes.ofWalk()).toBe(250)
    sizes.noteWalk({ people: 200, ms: 100 })
    expect(sizes.ofWalk()).toBe(70)
  })
})
