/** Configures how the pages are built, and how `npm run dev` serves them from their sources. */
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const WORKER = 'worker/service-worker.ts'

/** Names a page's chunk after its folder: `inbox-page`. */
const pageOf = (module: string | null): string | undefined => module?.match(/\/([\w-]+)\/page\.tsx$/)?.[1]

/**
 * Few files, because on a connection with 200 ms latency, every six more files cost another round trip. Code
 * that several parts need is in the first group that needs it.
 */
const GROUPS = [
  // Nearly every page shows errors.
  {
    name: 'base',
    test: /\/dashboard\/(?:main\.tsx|shell\/notify-error\.ts)$|\/src\/core\/values\//,
    priority: 5,
  },
  // An icon of one page is in the file of that page.
  { name: 'icons', test: /\/lucide-react\//, minShareCount: 2, priority: 4 },
  // Pages that read lists or write need them.
  {
    name: 'requests',
    test: /\/query-core\/.*\/(?:mutationObserver|infiniteQueryObserver)\.js$|\/react-query\/.*\/use(?:Mutation|InfiniteQuery)\.js$|\/dashboard\/api\/attempt\.ts$/,
    priority: 3,
  },
  // The controls that the inbox shows first, with what tabs and fields share. Few pages have tabs, which are a
  // quarter of the kit. `page-parts` are for other pages, and for later parts of the inbox.
  {
    name: 'controls',
    test: /\/dashboard\/kit\/(?:back-link|callout|color-mark|dialog|dialog-actions|popover|search-field|use-stable)\.tsx?$|\/@base-ui\/(?:react\/internals\/(?:useTransitionStatus|createBaseUIEventDetails|useOpenChangeComplete|reason-parts|stateAttributesMapping|useBaseUiId)|utils\/(?:shadowDom|useControlled|useOnMount))\.mjs$/,
    priority: 4,
  },
  { name: 'tabs', test: /\/dashboard\/kit\/tabs\.tsx$/, priority: 3 },
  {
    name: 'page-parts',
    test: /\/dashboard\/kit\/(?:copy|duration|facts|field|figure|finder|first-day|form-dialog|group|header-fields|inline-field|load-more|loaded-rows|money|move-focus|page|pages|panes|return-focus|save-file|select|switch|table|tag-editor|use-debounced|viewer)\.tsx?$/,
    priority: 2,
  },
  // The inbox shares them with its parts that load later, and with other pages.
  { name: 'inbox-queries', test: /\/dashboard\/inbox\/queries\.ts$/, priority: 4 },
  { name: 'inbox-texts', test: /\/dashboard\/inbox\/(?:texts\.ts|en\.json)$/, priority: 4 },
  {
    name: 'inbox-shared',
    test: /\/dashboard\/inbox\/(?:(?:person|use-actions|view|commands|parts\/thread-entries)\.ts|parts\/group-heading\.tsx|parts\/kinds\/(?:text|answer|location|content|formatting)\.tsx?)$/,
    priority: 4,
  },
  {
    name: 'inbox-drafts',
    test: /\/dashboard\/inbox\/(?:held-answer|parts\/voice\/recordings|parts\/compose\/part-store)\.ts$/,
    priority: 4,
  },
  // Kinds of messages and of text that few chats have.
  {
    name: 'inbox-rare',
    test: /\/dashboard\/inbox\/parts\/(?:kinds\/(?:cards|interactive|template)|mentions|found-messages|order\/order|not-delivered\/\w+|origin\/\w+|held-notice)\.tsx$/,
    priority: 2,
  },
  // Chats and campaigns need it, each without the parts of the other.
  { name: 'failure-causes', test: /\/dashboard\/api\/failure-causes\.ts$/, priority: 3 },
  // Forms of their own need it too.
  { name: 'unsaved', test: /\/dashboard\/kit\/unsaved\.tsx$/, priority: 3 },
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
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, WORKER)],
      output: {
        // Browsers ask for the worker at one address: a new build replaces it there.
        entryFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.endsWith(WORKER) ? 'service-worker.js' : 'assets/[name]-[hash:7].js',
        codeSplitting: { groups: GROUPS },
        chunkFileNames: ({ facadeModuleId }) => {
          const page = pageOf(facadeModuleId)
          return page ? `assets/${page}-page-[hash:7].js` : 'assets/[name]-[hash:7].js'
        },
      },
    },
  },
})
