/** The child's end of `children.ts`. */

// biome-ignore lint/suspicious/noExplicitAny: each handler names the argument that its asker sends
type Handlers = Record<string, (argument: any) => unknown>
type Question = { id: number; name: string; argument: unknown }

/** Answers the parent's questions. `stop` ends the process after its handler, and so does the parent's death. */
export function answerParent(handlers: Handlers): void {
  process.on('message', async ({ id, name, argument }: Question) => {
    try {
      const value = await handlers[name]?.(argument)
      if (name === 'stop') process.exit(0)
      process.send?.({ id, value })
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit(1))
}
