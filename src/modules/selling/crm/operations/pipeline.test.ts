import { expect, test } from 'vitest'
import {
  CONTACTED,
  FORMER,
  FORMER_REASON,
  LEAD_WORDS,
  LOST,
  NEW,
  NOW,
  OTHER,
  PRICE,
  stageRow,
  testId,
  WON,
} from '../../../../../test/support/lead-rows.ts'
import { initialStage, knowsStage, pipelineOf, stageIdsOf, standingStage } from './pipeline.ts'

const { pipeline } = LEAD_WORDS
const removed = (n: number, replacedBy: number) =>
  stageRow(n, `Stage ${n}`, 'active', { removedAt: NOW, replacedBy: testId(replacedBy) })

test('removed stages and lost reasons are separate from the others', () => {
  expect(pipeline).toMatchObject({
    stages: [NEW, CONTACTED, WON, LOST],
    removedStages: [FORMER],
    lostReasons: [PRICE, OTHER],
    removedReasons: [FORMER_REASON],
  })
  expect(initialStage(pipeline)).toBe(NEW)
})

test.each([
  ['a stage', NEW.id, NEW],
  ['a removed stage', FORMER.id, CONTACTED],
])('the current stage of %s', (_title, id, stage) => {
  expect([standingStage(pipeline, id), knowsStage(pipeline, id)]).toEqual([stage, true])
})

test('a stage that was created later is unknown', () => {
  expect(knowsStage(pipeline, testId(99))).toBe(false)
  expect(() => standingStage(pipeline, testId(99))).toThrow("the lead's stage is unknown")
})

test('a stage has the leads of the stages that it replaced, in any number of steps', () => {
  const chained = pipelineOf([NEW, removed(50, 51), removed(51, 52), removed(52, 1), removed(53, 1)], [])
  expect(stageIdsOf(chained, NEW.id)).toEqual([NEW.id, ...[50, 51, 52, 53].map(testId)])
  expect(stageIdsOf(pipeline, WON.id)).toEqual([WON.id])
})

test.each(['oldest first', 'newest first'])(
  'a chain of 30,000 removed stages is walked once, %s',
  (order) => {
    const chain = Array.from({ length: 30_000 }, (_, i) => removed(100 + i, i === 29_999 ? 1 : 101 + i))
    const rows = order === 'oldest first' ? chain : chain.toReversed()
    const startedMs = performance.now()
    const { standing } = pipelineOf([NEW, ...rows], [])
    expect(new Set(standing.values())).toEqual(new Set([NEW]))
    expect(standing.size).toBe(30_001)
    // Walked from each stage, the chain has 450 million steps.
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  },
)

test.each([['in a circle', [removed(50, 51), removed(51, 50)]]])(
  'stages that replace each other %s are an error',
  (_title, rows) => {
    expect(() => pipelineOf([NEW, ...rows], [])).toThrow('leads to no stage')
  },
)

test('a pipeline without an initial stage is an error', () => {
  expect(() => initialStage(pipelineOf([WON], []))).toThrow('initial stage')
})
