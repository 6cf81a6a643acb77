import { describe, expect, test } from 'vitest'
import { nextStepSize, stepSizes } from './step-size.ts'

test.each([
  ['grows by a quarter if it was fast', 400, 10, 500],
  ['stays if it took as long as intended', 400, 35, 400],
  ['shrinks if it was slow', 800, 70, 400],
  ['never shrinks below 250', 400, 10_000, 250],
  ['grows below 250, also if it was slow', 100, 10_000, 125],
  ['has at most 1,000 people', 1_000, 1, 1_000],
  ['grows if no time could be measured', 400, 0, 500],
])('the next step %s', (_title, people, ms, size) => {
  expect(nextStepSize(people, ms)).toBe(size)
})

describe('the steps of a process', () => {
  const started = () => {
    let now = 0
    const wait = (ms: number): void => {
      now += ms
    }
    const sizes = stepSizes({ monotonicMs: () => now })
    return { sizes, wait }
  }

  test('are small at first, and grow', () => {
    const { sizes } = started()
    expect(sizes.ofWalk()).toBe(50)
    sizes.noteWalk(1)
    expect(sizes.ofWalk()).toBe(63)
  })

  test('are small again after a minute without a walk', () => {
    const { sizes, wait } = started()
    sizes.ofWalk()
    sizes.noteWalk(1)
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
})
