import { Link, useParams } from '@tanstack/react-router'
import { Page, Section } from '../kit/page.tsx'
import { Clock } from './clock.tsx'
import { Phone } from './phone.tsx'
import { t } from './texts.ts'

const TRY = ['try.1', 'try.2', 'try.3'] as const

/** Shows the customer's side of a sandbox. */
export default function SandboxPage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return (
    <Page title={t('title')} description={t('description')}>
      <div className="flex flex-wrap items-start gap-8">
        <div className="flex h-[36rem] max-h-[75dvh] w-full max-w-96 flex-col overflow-hidden rounded-lg border-2 border-edge bg-surface-1">
          <Phone workspace={workspace} />
        </div>
        <div className="min-w-64 flex-1">
          <Section title={t('clock')} description={t('clock.text')}>
            <Clock />
          </Section>
          <Section title={t('try')}>
            <ol className="list-decimal space-y-2 ps-5 text-ink-2">
              {TRY.map((key) => (
                <li key={key}>
                  {t(key)}
                  {key === 'try.1' && (
                    <Link
                      to={`/w/${workspace}/inbox` as string}
                      className="ms-2 inline-flex min-h-6 items-center font-medium text-accent hover:underline pointer-coarse:min-h-11"
                    >
                      {t('try.inbox')}
                    </Link>
                  )}
                </li>
              ))}
            </ol>
          </Section>
        </div>
      </div>
    </Page>
  )
}
