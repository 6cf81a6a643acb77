// The files of a release that npm does not pack: the Helm chart, and the Python SDK.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.mjs'

/** The time of all files, so that the same tree gives the same bytes: 1 January 2020, in seconds. */
const FIXED_TIME = '1577836800'

/** Packs the Helm chart. Needs GNU tar, which can sort the files and give them a fixed time. */
export async function packChart(root, version, folder) {
  const file = join(folder, `parley-chart-${version}.tgz`)
  const fixed = ['--sort=name', `--mtime=@${FIXED_TIME}`, '--owner=0', '--group=0', '--numeric-owner']
  const modes = '--mode=u=rwX,go=rX'
  await run(
    'tar',
    [...fixed, modes, '--use-compress-program=gzip -n', '-cf', file, 'parley'],
    join(root, 'deploy/helm'),
  )
}

/** Builds the wheel and the source archive of the Python SDK, with tools from the package index. */
export async function packPython(root, folder) {
  const tools = mkdtempSync(join(tmpdir(), 'parley-python-tools-'))
  try {
    await run('python3', ['-m', 'venv', tools], root)
    const python = join(tools, 'bin/python')
    await run(python, ['-m', 'pip', 'install', '--quiet', 'build'], root)
    await run(python, ['-m', 'build', '--outdir', folder, 'sdk-python'], root, {
      SOURCE_DATE_EPOCH: FIXED_TIME,
    })
  } finally {
    rmSync(tools, { recursive: true, force: true })
  }
}
