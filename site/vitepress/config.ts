/** The configuration of the generator. `content.json` is written next to it by `site/content.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import { type DefaultTheme, defineConfig } from 'vitepress'

type WrittenContent = { sidebar: DefaultTheme.SidebarItem[]; descriptions: Record<string, string> }

const { sidebar, descriptions } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'content.json'), 'utf8'),
) as WrittenContent

/** The policy allows no style attributes, so colors of code become classes. */
const codeColors = transformerStyleToClass({ classPrefix: 'code-' })

/** The anchors that GitHub gives to headings, so that links work in both places. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

// Addresses of the former reference (`/docs#/Messages/sendMessage`) lead to the same operation.
const OLD_ADDRESSES =
  "if (location.hash.startsWith('#/')) location.replace(new URL('api' + location.hash, window.__VP_SITE_ROOT__))"

/** Styles that the theme writes into elements. The policy allows none, so style.css has the same rules. */
const STYLE_ATTRIBUTES = / style="(?:position:relative|--vp-vh:0px);"/g

export default defineConfig({
  title: 'Parley',
  lang: 'en-US',
  // Works below any path, and as a folder on any server.
  base: './',
  cleanUrls: true,
  // The switch would add a style to the page, which the policy does not allow.
  appearance: { disableTransition: false },
  lastUpdated: false,
  // The interactive reference and the collection are files, not pages.
  ignoreDeadLinks: [/^\/(?:api|postman\.json)(?:#|$)/],
  head: [
    ['link', { rel: 'icon', href: './favicon.svg', type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: './code.css' }],
  ],
  transformPageData: (page) => ({ description: descriptions[page.relativePath] ?? '' }),
  transformHead: ({ page }) => (page === 'index.md' ? [['script', {}, OLD_ADDRESSES]] : []),
  transformHtml: (html, _id, { page }) => {
    const up = '../'.repeat(page.split('/').length - 1)
    return (
      html
        .replace(/href="\.\/(favicon\.svg|code\.css)"/g, `href="${up || './'}$1"`)
        .replace(STYLE_ATTRIBUTES, '')
        // The theme gives the start page no main landmark.
        .replace('<div class="VPHome"', '<div role="main" class="VPHome"')
    )
  },
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, 'code.css'), codeColors.getCSS()),
  markdown: {
    codeTransformers: [codeColors],
    anchor: { slugify },
    toc: { slugify },
    config: (md) => {
      // Our pages have no HTML: `<` and `{{` are text.
      md.set({ html: false })
      for (const kind of ['text', 'code_inline'] as const) {
        const render = md.renderer.rules[kind]
        if (render) md.renderer.rules[kind] = (...input) => render(...input).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  themeConfig: {
    logo: '/favicon.svg',
    outline: { level: [2, 3] },
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Guides', link: '/guides/' },
      { text: 'API reference', link: '/reference/' },
      { text: 'Try the API', link: '/api', target: '_self' },
      { text: 'Host it', link: '/self-hosting' },
    ],
    sidebar,
    search: {
      provider: 'local',
      options: {
        // Words of three letters must match: `out` is not `our`.
        miniSearch: { searchOptions: { fuzzy: 0.16 } },
        // Examples would fill the index with braces and ids.
        _render: (source, env, md) =>
          md.render(source, env).replace(/<div class="language-json[\s\S]*?<\/pre>/g, '<pre></pre>'),
      },
    },
    docFooter: { prev: 'Previous page', next: 'Next page' },
    notFound: {
      title: 'Page not found',
      quote: 'This page does not exist. Search for it, or open the start page.',
      linkText: 'Open the start page',
    },
  },
})
