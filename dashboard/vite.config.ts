/** Configures how the pages are built, and how `npm run dev` serves them from their sources. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Names a page's chunk after its folder: `inbox-page`. */
const pageOf = (module: string | null): string | undefined => module?.match(/\/([\w-]+)\/page\.tsx$/)?.[1]

/**
 * Few files, because on a connection with 200 ms latency, every six more files cost another round trip. Code
 * that several parts need is in the first group that needs it.
 */
const GROUPS = [
  // Nearly every page shows errors.
  { name: 'base', test: /\/dashboard\/(?:main\.tsx|shell\/notify-error\.ts)$/, priority: 5 },
  { name: 'icons', test: /\/lucide-react\//, priority: 4 },
  // Without code that only editors and pages with charts need.
  {
    name: 'controls',
    test: /\/dashboard\/kit\/(?!.*-popup|toast-list|unsaved|multi-select|group|chart|entry-dialog|save-button)[\w-]+\.tsx?$/,
    priority: 3,
  },
  {
    name: 'forms',
    test: /\/react-hook-form\/|\/dashboard\/(?:api\/form\.ts|kit\/(?:entry-dialog|save-button)\.tsx)$/,
    priority: 2,
  },
  { name: 'popups', test: /\/dashboard\/kit\/(?:[\w-]+-popup|toast-list)\.tsx$/, priority: 1 },
]

/**
 * Makes built pages load their parts with `kit/import-again.ts`. Runs last, after other plugins have found
 * the imports.
 */
const retryImports: Plugin = {
  name: 'import-again',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          file.code = file.code.replace(
            /\bimport\(\s*(["'`]\.{1,2}\/[\w./-]+\.js["'`])\s*\)/g,
            'importAgain($1,import.meta.url)',
          )
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  // Addresses are relative: the server writes `<base href>` (src/http/files/dashboard-files.ts).
  base: './',
  plugins: [react(), tailwindcss(), retryImports],
  clearScreen: false,
  logLevel: 'warn',
  build: {
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    // The pages' security policy allows `data:` addresses only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Lists the files of each page: the server makes browsers fetch them with the first file.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: GROUPS },
        chunkFileNames: ({ facadeModuleId }) => {
          const page = pageOf(facadeModuleId)
          return page ? `assets/${page}-page-[hash].js` : 'assets/[name]-[hash].js'
        },
      },
    },
  },
})
