/** Modules loaded at the start stay in memory for as long as the service runs (docs/decisions/process.md). */
import { expect, onTestFinished, test } from 'vitest'
import { newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const LOADED = /^loaded (\[.+\])$/m

test('a start loads only modules for serving, and none for features that no request has used', async () => {
  const installation = await newInstallation()
  onTestFinished(installation.remove)
  const server = await installation.start('test/platform/loading-child.ts')
  await until(async () => LOADED.test(server.output()), 'the process has printed its loaded modules')
  const loaded: string[] = JSON.parse(LOADED.exec(server.output())![1]!)
  const isLoaded = (part: string) => loaded.some((path) => path.includes(part))
  expect(isLoaded('/node_modules/fastify/')).toBe(true)
  expect(isLoaded('NativeModule http')).toBe(true)
  expect(isLoaded('/src/http/mcp/mcp-route.ts')).toBe(true)
  const needless = [
    'internal/deps/undici/',
    '/node_modules/ajv/',
    '/node_modules/@fastify/fast-json-stringify-compiler/',
    '/node_modules/ioredis/',
    '/node_modules/nodemailer/',
    '/node_modules/pdfmake/',
    '/node_modules/qrcode/',
    '/node_modules/@modelcontextprotocol/',
    '/src/http/mcp/protocol.ts',
    '/src/http/scim/answers.ts',
    '/src/http/openapi/document.ts',
    // The metrics library loads its API, which does nothing alone.
    '/node_modules/@opentelemetry/core/',
    '/node_modules/@opentelemetry/sdk-',
    '/node_modules/@opentelemetry/exporter-',
    '/src/opentelemetry/open.ts',
    '/src/adapters/tracing/',
  ]
  expect(needless.filter(isLoaded)).toEqual([])
  await server.end('SIGTERM')
})
