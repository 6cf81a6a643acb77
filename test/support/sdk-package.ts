/** Packs the SDK as a release does, and installs the tarball into an empty project. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { runNpm } from './npm.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Folders that a developer's machine may have built or installed. */
const NOT_SOURCES = ['dist', 'node_modules']

/** Builds and packs the SDK in a copy of its folder; returns the path of the tarball. */
async function packSdk(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sdk-'))
  cpSync(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  cpSync(join(ROOT, 'sdk'), join(folder, 'sdk'), {
    recursive: true,
    filter: (path) => !NOT_SOURCES.includes(basename(path)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { code, output } = await runNpm(['pack', '--pack-destination', folder], join(folder, 'sdk'))
  if (code !== 0) throw new Error(`The SDK can't be packed: ${output}`)
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
}

export type SdkProject = {
  folder: string
  tarball: string
  /** Writes a file of the project; returns its path. */
  write(name: string, text: string): string
  /** Checks the types of files; returns the compiler's messages. */
  check(files: string[], options: string[]): Promise<string>
}

/** Installs the packed SDK into an empty project, from the tarball alone. */
export async function makeSdkProject(): Promise<SdkProject> {
  const tarball = await packSdk()
  const folder = mkdtempSync(join(tmpdir(), 'parley-sdk-user-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const { code, output } = await runNpm(['install', '--offline', '--ignore-scripts', tarball], folder)
  if (code !== 0) throw new Error(`The SDK can't be installed: ${output}`)
  mkdirSync(join(folder, 'node_modules/@types'))
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  // The types of Node need these.
  symlinkSync(join(ROOT, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const check = async (files: string[], options: string[]): Promise<string> => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    const args = ['--ignoreConfig', '--noEmit', '--strict', ...options, ...files]
    const { stdout } = await promisify(execFile)(tsc, args, { cwd: folder }).catch(
      (failed: { stdout: string }) => failed,
    )
    return stdout
  }
  return { folder, tarball, write, check }
}
