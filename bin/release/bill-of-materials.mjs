import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { nameOf } from './third-party.mjs'

/**
 * Writes the bill of materials of the packages that a release contains or installs, in CycloneDX. It has no time, serial number,
 * or download address, so that the same packages give the same file.
 */
export async function writeBillOfMaterials(root, path, shipped) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const names = new Set([...shipped].map((place) => `${nameOf(place)}@${packages[place].version}`))
  const text = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], root)
  const { serialNumber, ...bill } = JSON.parse(text)
  const { timestamp, tools, ...metadata } = bill.metadata
  const own = metadata.component['bom-ref']
  const components = bill.components
    .filter((component) => names.has(component['bom-ref'].split('|')[0]))
    .map(({ externalReferences, properties, ...component }) => component)
  const kept = new Set([own, ...components.map((component) => component['bom-ref'])])
  const { externalReferences, properties, ...component } = metadata.component
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
  const written = {
    ...bill,
    // npm names it after the folder.
    metadata: { ...metadata, component: { ...component, type: 'application', name: 'parley' } },
    components,
    dependencies,
  }
  writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`)
}
