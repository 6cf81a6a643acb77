/** Builds the documentation site: `node site/build.ts FOLDER` writes it into the new folder. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'vitepress'
import { writeFiles, writeProject } from './content.ts'

const root = dirname(import.meta.dirname)

async function buildSite(out: string): Promise<void> {
  // Below the repository, so that the pages find the packages that they import.
  const project = `${out}-project`
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project, { recursive: true })
  try {
    const content = writeProject(root, project)
    await build(project)
    cpSync(join(project, '.vitepress/dist'), out, { recursive: true })
    writeFiles(root, content, out)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: node site/build.ts FOLDER')
await buildSite(resolve(folder))
