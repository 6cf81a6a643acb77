/** The pages of the documentation site: where each comes from, its address, and its place in the navigation. */

/** A page whose text is a file of the repository. `part` takes only the text under that heading. */
export type SitePage = { address: string; source: string; text: string; part?: string }
/** Pages that readers with the same task need. */
export type Section = { text: string; pages: SitePage[] }

const page = (address: string, source: string, text: string, part?: string): SitePage => ({
  address,
  source,
  text,
  part,
})
const guide = (name: string, text: string): SitePage => page(`guides/${name}`, `docs/guides/${name}.md`, text)

/** The start page. It is in no section, because the name of the site leads to it. */
export const HOME = page('index', 'docs/index.md', 'Parley')

/** Where the pages of the endpoints are added. */
export const REFERENCE = 'API reference'

export const SECTIONS: Section[] = [
  {
    text: 'Start',
    pages: [
      page('quick-start', 'docs/quick-start.md', 'Quick start'),
      page('concepts', 'docs/concepts.md', 'Concepts'),
      page('guides/index', 'docs/guides/README.md', 'All guides'),
      page('glossary', 'docs/words.md', 'Glossary', 'Glossary'),
    ],
  },
  { text: 'For agents', pages: [guide('agents', 'Answer customers in the inbox')] },
  { text: 'For sales', pages: [guide('sales', 'Leads, tasks, and contacts')] },
  {
    text: 'For marketing',
    pages: [
      guide('marketing', 'Templates and campaigns'),
      guide('publishing-posts', 'Posts on the photo network'),
    ],
  },
  {
    text: 'For owners and admins',
    pages: [
      guide('owners', 'Run a workspace'),
      guide('connecting-a-number', 'Connect a number'),
      guide('coexistence', 'Keep a number in the phone app'),
      guide('single-sign-on', 'Single sign-on'),
      guide('moving-in', 'Move your chats to Parley'),
      guide('from-chatwoot', 'Move in from Chatwoot'),
      guide('automations', 'Automate routine work'),
      guide('bots', 'Auto-replies and bots'),
      guide('payments', 'Payments in the chat'),
      guide('shops', 'Connect a shop'),
      guide('photo-network', 'Connect the photo network'),
      guide('tax', 'Tax on documents'),
    ],
  },
  {
    text: 'For developers',
    pages: [
      guide('developers', 'Build on Parley'),
      guide('assistants', 'Connect an AI assistant'),
      guide('n8n', 'Use Parley in n8n'),
      page('sdks', 'docs/sdks.md', 'Clients and SDKs'),
      page('events', 'docs/reference/events.md', 'Events'),
      page('errors', 'docs/reference/errors.md', 'Errors'),
      page('rate-limits', 'docs/reference/rate-limits.md', 'Rate limits'),
      page('tools', 'docs/reference/mcp.md', 'Tools of assistants'),
      page('simulator', 'docs/simulator.md', 'Simulated networks'),
      page('formats', 'docs/formats.md', 'Wire formats'),
      page('spec', 'docs/spec.md', 'Specification'),
      page('clarifications', 'docs/clarifications.md', 'Clarifications'),
    ],
  },
  { text: REFERENCE, pages: [] },
  {
    text: 'For people who host Parley',
    pages: [
      page('self-hosting', 'docs/self-hosting.md', 'Host Parley yourself'),
      page('operating', 'docs/operating.md', 'Operate Parley'),
      page('observability', 'docs/observability.md', 'Traces, metrics, and logs'),
      page('growing', 'docs/growing.md', 'From one process to many'),
      page('cells', 'docs/cells.md', 'Cells'),
      page('high-availability', 'docs/high-availability.md', 'High availability'),
      page('settings', 'docs/reference/settings.md', 'Settings'),
      page('running', 'docs/running.md', 'Commands and environment'),
      page('reliability', 'docs/reliability.md', 'Reliability'),
      page('speed', 'docs/speed.md', 'Speed'),
      page('security', 'SECURITY.md', 'Security'),
    ],
  },
  {
    text: 'Project',
    pages: [
      page('changelog', 'CHANGELOG.md', 'Changelog'),
      page('roadmap', 'docs/roadmap.md', 'Roadmap'),
      page('translating', 'docs/translating.md', 'Add or mend a language'),
    ],
  },
]
