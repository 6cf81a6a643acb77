/** The generated files of the repository: the reference, the types and methods of the SDKs, the n8n node, the table types, the dashboard's paths. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DASHBOARD_ENDPOINTS, ENDPOINTS, EVENTS } from '../catalog.ts'
import { ROOT } from '../core/installation-root.ts'
import { DEFAULT_CELL, withCell } from '../core/values/cell.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate, queryOf } from '../database/migrate.ts'
import { onDatabase, withDatabase } from '../database/on-database.ts'
import { readSchemaParts } from '../database/schema-parts.ts'
import { generateTableTypes } from '../database/table-types.ts'
import { clientTypes } from './client-types.ts'
import { n8nFiles } from './n8n/files.ts'
import { pagePathsFile } from './page-paths.ts'
import { pythonSdk } from './python-sdk.ts'
import { referencePages } from './reference-pages.ts'

/** Returns every generated file of the project by its path. The server at `databaseUrl` may provide a temporary database. */
export async function generatedFiles(
  databaseUrl: string | undefined,
  say: (line: string) => void,
): Promise<Record<string, string>> {
  const pages = Object.entries(referencePages(ENDPOINTS, EVENTS))
  const types = Object.entries(
    clientTypes({ endpoints: ENDPOINTS, dashboard: DASHBOARD_ENDPOINTS, events: EVENTS }),
  )
  const n8n = Object.entries(n8nFiles(ENDPOINTS, EVENTS))
  const python = Object.entries(pythonSdk(ENDPOINTS, EVENTS))
  return {
    ...Object.fromEntries(pages.map(([name, text]) => [`docs/reference/${name}`, text])),
    ...Object.fromEntries(types.map(([name, text]) => [`sdk/${name}`, text])),
    ...Object.fromEntries(python.map(([name, text]) => [`sdk-python/src/parley/${name}`, text])),
    ...Object.fromEntries(n8n.map(([name, text]) => [`n8n/src/nodes/${name}`, text])),
    'src/http/files/page-paths.ts': await pagePathsFile(ROOT),
    ...(await generateSchemaFiles(databaseUrl, say)),
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Returns the schema of a temporary database, which is on the given server if its role may create one, else on an embedded
 * server.
 */
async function generateSchemaFiles(
  databaseUrl: string | undefined,
  say: (line: string) => void,
): Promise<Record<string, string>> {
  if (!databaseUrl) return schemaFromEmbeddedServer(say)
  try {
    return await schemaFromServer(databaseUrl)
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
    return schemaFromEmbeddedServer(say)
  }
}

async function schemaFromEmbeddedServer(say: (line: string) => void): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-reference-'))
  try {
    const server = await startEmbedded({ dataDir, log: say, settings: { fsync: 'off' } })
    try {
      return await schemaFiles(server.url)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function schemaFromServer(databaseUrl: string): Promise<Record<string, string>> {
  const name = `parley_reference_${randomUUID().replaceAll('-', '')}`
  await onDatabase(databaseUrl, (client) => client.query(`create database ${name}`))
  try {
    return await schemaFiles(withCell(withDatabase(databaseUrl, name), DEFAULT_CELL))
  } finally {
    await onDatabase(databaseUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
}

async function schemaFiles(url: string): Promise<Record<string, string>> {
  await migrate(url)
  return onDatabase(url, async (client) => ({
    'src/database/sql/tables.ts': await generateTableTypes(client),
    'src/database/expected-schema.json': `${JSON.stringify(await readSchemaParts(queryOf(client)), null, 1)}\n`,
  }))
}
