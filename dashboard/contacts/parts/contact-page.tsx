/** Shows one contact: details, consent, tags, and fields; chats, lead, and tasks. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/core/values/languages.ts'
import { useAttempt } from '../../api/attempt.ts'
import { ApiError } from '../../api/errors.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { useTagColors } from '../../api/tags.ts'
import { Avatar } from '../../kit/avatar.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Fact, Panel } from '../../kit/facts.tsx'
import { InlineField } from '../../kit/inline-field.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { formatMoney } from '../../kit/money.ts'
import { Select } from '../../kit/select.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { TagEditor } from '../../kit/tag-editor.tsx'
import { DateOf, Time } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { StageName } from '../../leads/parts/stage.tsx'
import { createLead } from '../../leads/queries.ts'
import { useCommands } from '../../shell/commands-store.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { CONTACT_COMMANDS } from '../commands.ts'
import { type ContactPatch, changeContact, contactQuery, leadOfQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CONSENTS } from '../view.ts'
import { type ChangeContact, CustomFields } from './custom-fields.tsx'
import { DangerZone } from './danger-zone.tsx'
import { Duplicates } from './duplicates.tsx'
import { ConsentBadge, nameOf } from './person.tsx'

const CustomerOverview = lazyComponent(() =>
  import('../../customer/parts/overview.tsx').then((module) => module.CustomerOverview),
)
const LeadTasks = lazyComponent(() =>
  import('../../leads/parts/lead-tasks.tsx').then((module) => module.LeadTasks),
)
const NAME_MAX = 200
type Props = { id: string; workspace: string }

export function ContactPage({ id, workspace }: Props) {
  const { data: contact, error, isPending, refetch } = useQuery(contactQuery(id))
  if (isPending) return <SkeletonRows tall />
  if (contact) return <ContactDetails contact={contact} workspace={workspace} />
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty
        isPage
        title={t('notFound')}
        action={<Link to={`/w/${workspace}/contacts` as never}>{t('action.back')}</Link>}
      />
    )
  return <Failed error={error} onRetry={() => void refetch()} />
}

/** Returns the values of a contact that a patch replaces. */
const previousValues = (contact: Contact, { attributes, ...plain }: ContactPatch): ContactPatch => ({
  ...Object.fromEntries(Object.keys(plain).map((key) => [key, contact[key as keyof Contact]])),
  ...(attributes && {
    attributes: Object.fromEntries(
      Object.keys(attributes).map((key) => [key, contact.attributes[key] ?? null]),
    ),
  }),
})

type PartProps = { contact: Contact; workspace: string }

type SalesProps = PartProps & { me: string; mayWrite: boolean }

/** Shows the contact's lead with its tasks, or a button to create the lead. */
function Sales({ contact, workspace, me, mayWrite }: SalesProps) {
  const { data: lead, error, isLoadingError, isPending, refetch } = useQuery(leadOfQuery(contact.id))
  const [isAdding, setAdding] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const attempt = useAttempt()
  const addLead = async () => {
    setBusy(true)
    const name = contact.displayName
    const body = { phone: `contact:${contact.id}`, ...(name && { name }) }
    await createLead(body, attempt).catch(notifyError)
    setBusy(false)
  }
  return (
    <>
      <Panel title={t('lead')}>
        {isPending ? (
          <SkeletonRows rows={1} />
        ) : isLoadingError ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : lead ? (
          <Link
            to={`/w/${workspace}/leads/${lead.id}` as never}
            aria-label={t('lead.open', { stage: lead.stage.name })}
            className="flex min-h-9 items-center gap-3 font-medium hover:underline"
          >
            <StageName stage={lead.stage} />
            {lead.dealValue > 0 && <span className="tabular-nums">{formatMoney(lead.dealValue)}</span>}
            <span className="ms-auto text-sm font-normal text-ink-2">{lead.owner?.name}</span>
          </Link>
        ) : (
          <div className="flex items-center gap-3">
            <p className="flex-1 text-ink-2">{t('lead.none')}</p>
            {mayWrite && contact.channel === 'chat' && (
              <Button size="sm" busy={isBusy} onClick={() => void addLead()}>
                {t('lead.create')}
              </Button>
            )}
          </div>
        )}
      </Panel>
      {lead && (
        <LeadTasks
          lead={lead}
          workspace={workspace}
          me={me}
          mayWrite={mayWrite}
          isAdding={isAdding}
          onAdding={setAdding}
        />
      )}
    </>
  )
}

/** Returns the languages of texts, and the contact's own if it is another. */
const languageChoices = (own: string | null) => [
  { value: '', label: t('language.workspace') },
  ...LANGUAGES.map((value) => ({ value: value as string, label: LANGUAGE_NAMES[value] })),
  ...(own === null || (LANGUAGES as readonly string[]).includes(own) ? [] : [{ value: own, label: own }]),
]

type DetailsProps = { contact: Contact; mayWrite: boolean; onChange: ChangeContact }

function Details({ contact, mayWrite, onChange }: DetailsProps) {
  const colors = useTagColors()
  return (
    <Panel title={t('details')}>
      <dl>
        <Fact label={t('field.name')}>
          <InlineField
            label={t('field.name')}
            maxLength={NAME_MAX}
            placeholder={t('noValue')}
            disabled={!mayWrite}
            value={contact.displayName ?? ''}
            onSave={(name) => onChange({ displayName: name.trim() || null })}
          />
        </Fact>
        <Fact label={t('field.phone')}>
          <span dir="ltr" className="px-2">
            {contact.e164 || contact.phone}
          </span>
        </Fact>
        <Fact label={t('field.language')}>
          <Select
            quiet
            name={t('field.language')}
            disabled={!mayWrite}
            value={contact.language ?? ''}
            onChange={(language) => onChange({ language: language || null })}
            choices={languageChoices(contact.language)}
          />
        </Fact>
        <Fact label={t('field.consent')}>
          <Select
            quiet
            name={t('field.consent')}
            disabled={!mayWrite}
            value={contact.optInStatus}
            onChange={(optInStatus) => onChange({ optInStatus })}
            choices={CONSENTS.map((value) => ({ value, label: t(`consent.${value}`) }))}
          />
        </Fact>
        {contact.optInSource && (
          <Fact label={t('field.consentSource')}>
            <span className="px-2">{contact.optInSource}</span>
          </Fact>
        )}
        {contact.lastSeenAt && (
          <Fact label={t('field.seen')}>
            <Time at={contact.lastSeenAt} className="px-2" />
          </Fact>
        )}
        <Fact label={t('field.since')}>
          <DateOf at={contact.createdAt} className="px-2" />
        </Fact>
        <Fact label={t('field.tags')}>
          <div className="py-1.5">
            <TagEditor
              colors={colors}
              tags={contact.tags}
              disabled={!mayWrite}
              onChange={(tags) => onChange({ tags })}
            />
          </div>
        </Fact>
      </dl>
    </Panel>
  )
}

function ContactDetails({ contact, workspace }: PartProps) {
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'agent')
  const navigate = useNavigate()
  const goBack = () => void navigate({ to: `/w/${workspace}/contacts` } as never)
  const onChange = async (patch: ContactPatch) => {
    const undo = previousValues(contact, patch)
    try {
      await changeContact(contact.id, patch)
    } catch (error) {
      notifyError(error)
      return false
    }
    notify({
      title: t('notice.saved'),
      kind: 'good',
      action: { label: t('undo'), run: () => void changeContact(contact.id, undo).catch(notifyError) },
    })
    return true
  }
  const [isMerging, setMerging] = useState(false)
  const mayMerge = mayWrite && contact.channel === 'chat'
  useCommands(CONTACT_COMMANDS, { goBack, mayMerge, merge: () => setMerging(true) }, { title: t })
  const name = nameOf(contact)
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-3 border-b px-4 py-3 sm:px-6">
        <IconButton icon={ArrowLeft} label={t('action.back')} keys="Escape" onClick={goBack} />
        <Avatar name={name} />
        <h1 className="min-w-32 flex-1 text-lg font-semibold">{name}</h1>
        <ConsentBadge consent={contact.optInStatus} />
        {contact.blocked && <Badge tone="bad">{t('blocked')}</Badge>}
      </header>
      <div className="pane min-h-0 flex-1">
        <div className="mx-auto grid max-w-6xl md:grid-cols-2 md:gap-6 md:p-4">
          <div>
            <Details contact={contact} mayWrite={mayWrite} onChange={onChange} />
            <CustomFields contact={contact} mayWrite={mayWrite} onChange={onChange} />
          </div>
          <div>
            <Sales contact={contact} workspace={workspace} me={session.member.id} mayWrite={mayWrite} />
            <CustomerOverview
              contact={contact}
              workspace={workspace}
              mayWrite={mayWrite}
              level={2}
              hasOwnSales
            />
            {mayMerge && (
              <Duplicates
                contact={contact}
                workspace={workspace}
                isMerging={isMerging}
                onMerging={setMerging}
              />
            )}
            {mayWrite && <DangerZone contact={contact} workspace={workspace} />}
          </div>
        </div>
      </div>
    </div>
  )
}
