/** `npm start`, which prints its loaded modules once it serves (loading.test.ts). */
import { createRequire, registerHooks } from 'node:module'

const esModules: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    esModules.push(url)
    return nextLoad(url, context)
  },
})
await import('../../src/main.ts')

const { moduleLoadList: ofNode } = process as typeof process & { moduleLoadList: string[] }
const ofPackages = Object.keys(createRequire(import.meta.url).cache)
process.stderr.write(`loaded ${JSON.stringify([...ofNode, ...ofPackages, ...esModules])}\n`)
