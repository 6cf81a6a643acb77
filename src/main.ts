/** `npm start`: turns the compile cache on for the next start, then serves (docs/decisions/process.md). */
import module from 'node:module'
import { join } from 'node:path'
import { ROOT } from './core/installation-root.ts'
import { collectWhenIdle } from './startup/idle-collection.ts'
import { requireNode } from './startup/required-node.ts'

requireNode()

// Not by a flag of Node: the log's library then reads the maps of a start, which takes 2 MB.
module.setSourceMapsSupport(true, { nodeModules: true })
// Up to half of the threads may run system name lookups (docs/decisions/outbound-calls.md). Threads are
// created on demand.
process.env.UV_THREADPOOL_SIZE ??= '128'
// NODE_COMPILE_CACHE names another folder. If none is writable, a start only takes longer.
module.enableCompileCache(join(ROOT, 'node_modules/.cache/compiled'))
const { serve } = await import('./startup/serve.ts')
await serve()
collectWhenIdle()
// Flushed now, so that a killed process still leaves the cache to the next start, and Node frees its copy.
module.flushCompileCache()
