/** `npm start`: turns the compile cache on for the next start, then serves (docs/decisions/process.md). */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './core/installation-root.ts'
import { collectWhenIdle } from './startup/idle-collection.ts'
import { requireNode } from './startup/required-node.ts'

requireNode()

// Up to half of the threads may run system name lookups (docs/decisions/outbound-calls.md). Threads are
// created on demand.
process.env.UV_THREADPOOL_SIZE ??= '128'
// NODE_COMPILE_CACHE names another folder. If none is writable, a start only takes longer.
enableCompileCache(join(ROOT, 'node_modules/.cache/compiled'))
const { serve } = await import('./startup/serve.ts')
await serve()
collectWhenIdle()
// Flushed now, so that a killed process still leaves the cache to the next start, and Node frees its copy.
flushCompileCache()
