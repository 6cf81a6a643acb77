/** `npm start`: has compiled code kept for the next start, then serves (docs/decisions/process.md). */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { requireNode } from './startup/required-node.ts'

requireNode()

// Half of the threads may look names up by the system at once (docs/decisions/outbound-calls.md). They are made when needed.
process.env.UV_THREADPOOL_SIZE ??= '128'
// NODE_COMPILE_CACHE names another folder. Where none can be written a start only takes longer.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { serve } = await import('./startup/serve.ts')
await serve()
// Whoever is killed later leaves it to the next one all the same, and Node lets go of its copy.
flushCompileCache()
