/** `npm start`, which prints its loaded modules once it serves (loading.test.ts). */
import { createRequire } from 'node:module'
import '../../src/main.ts'

const { moduleLoadList: ofNode } = process as typeof process & { moduleLoadList: string[] }
const ofPackages = Object.keys(createRequire(import.meta.url).cache)
process.stderr.write(`loaded ${JSON.stringify([...ofNode, ...ofPackages])}\n`)
