/** The child's end of `children.ts`. */

// biome-ignore lint/suspicious/noExplicitAny: each handler declares the type of its argument
type Handlers = Record<string, (argument: any) => unknown>
type Question = { id: number; name: string; argument: unknown }

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Answers the parent's questions, always including `cpuMs`, the processor time so far. Ends the process after
 * the handler of `stop`, and when the parent dies.
 */
export function answerParent(handlers: Handlers): void {
  process.on('message', async ({ id, name, argument }: Question) => {
    try {
      const value = name === 'cpuMs' ? cpuMs() : await handlers[name]?.(argument)
      if (name === 'stop') process.exit(0)
      process.send?.({ id, value })
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit(1))
}
