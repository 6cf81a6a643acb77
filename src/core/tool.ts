import type { z } from 'zod'

/** The effects of a tool that its endpoint's method does not show. */
type ToolEffect =
  /** Changes nothing, although its method is not GET. */
  | 'reads'
  /** Reaches a customer, moves money, or can't be undone. */
  | 'acts'

/** Makes an endpoint a tool that assistants may call (docs/decisions/assistants.md). */
export type Tool = {
  /** The name that people see: two to five words. */
  title: string
  /** When an assistant should use it: one or two plain sentences. */
  when: string
  /** By default GET reads, and DELETE and `critical` endpoints act. */
  effect?: ToolEffect
  /** The part of a large body that assistants need. The endpoint still validates what they send. */
  body?: z.ZodType
}
