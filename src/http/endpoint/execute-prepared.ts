import type { Context } from '../../core/context.ts'
import type { PlainEndpoint } from '../../core/endpoint.ts'
import { Refusal } from '../../core/errors.ts'
import { contextOf, type Execution, type Item } from './execution.ts'
import { claimKeys } from './idempotency.ts'
import { rememberRefusal } from './remember-answers.ts'
import type { Answer } from './reply-texts.ts'

/** Calls `prepare` before `run` opens its transaction. If the answer is already stored, it skips both. */
export const preparedRunner =
  (
    execution: Execution<PlainEndpoint>,
    prepare: NonNullable<PlainEndpoint['prepare']>,
    run: (item: Item) => Promise<Answer>,
  ) =>
  async (item: Item): Promise<Answer> => {
    const { options, texts } = execution
    const { workspace, actor } = item.caller
    if (item.claim) {
      const [finding] = await options.database.tenant(workspace, (unit) => claimKeys(unit.tx, [item.claim!]))
      if (finding && finding.kind !== 'fresh') return texts.ending(finding, item.claim)
    }
    const transaction = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
      options.database.tenant(workspace, (unit) => work(contextOf(execution, unit, item)))
    try {
      await prepare({ workspace, actor, outside: options.outside, transaction }, item.input)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await rememberRefusal(execution, item, error)
      return texts.refusalOf(error)
    }
    return run(item)
  }
