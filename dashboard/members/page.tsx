/** Shows the members of the workspace. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Ellipsis, Mail, Plus, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { callDashboard } from '../api/request.ts'
import { useWorkspaceSession } from '../api/session.ts'
import { Avatar } from '../kit/avatar.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Menu } from '../kit/menu.tsx'
import { Page } from '../kit/page.tsx'
import { Select } from '../kit/select.tsx'
import { Failed, SkeletonRows } from '../kit/states.tsx'
import { type Column, Table } from '../kit/table.tsx'
import { formatDay } from '../kit/time.tsx'
import { notify } from '../kit/toasts.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { notifyError } from '../shell/notify-error.ts'
import { InviteDialog, InvitedDialog } from './invite.tsx'
import { type Invitation, type Member, membersQuery, type Role, refreshMembers } from './queries.ts'
import { t } from './texts.ts'

const ROLES = ['viewer', 'agent', 'admin'] as const

function MemberName({ member, isMe }: { member: Member; isMe: boolean }) {
  return (
    <div className="flex items-center gap-3">
      <Avatar name={member.name} size="sm" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-1.5 font-medium">
          {member.name}
          {member.owner && <Badge tone="accent">{t('owner')}</Badge>}
          {isMe && <Badge>{t('you')}</Badge>}
        </p>
        <p className="text-sm text-ink-2">{member.email}</p>
      </div>
    </div>
  )
}

function State({ member }: { member: Member }) {
  if (member.hasAccount) return <Badge tone="good">{t('joined')}</Badge>
  if (member.invitedUntil)
    return <Badge tone="warn">{t('invited', { date: formatDay(member.invitedUntil) })}</Badge>
  return <Badge>{t('notJoined')}</Badge>
}

type ColumnsProps = {
  /** The member who views the page. */
  me: string
  onRole: (member: Member, role: Role) => void
  onInviteAgain: (member: Member) => void
  onRemove: (member: Member) => void
}

const columnsOf = ({ me, onRole, onInviteAgain, onRemove }: ColumnsProps): Column<Member>[] => [
  {
    id: 'name',
    title: t('name'),
    cell: (member) => <MemberName member={member} isMe={member.id === me} />,
  },
  { id: 'state', title: t('state'), hideBelow: 'sm', cell: (member) => <State member={member} /> },
  {
    id: 'role',
    title: t('role'),
    // On a phone, names and emails need the width.
    className: 'max-sm:w-px max-sm:px-0',
    cell: (member) => (
      <Select
        quiet
        name={t('roleOf', { name: member.name })}
        disabled={member.owner}
        value={member.role}
        onChange={(role) => onRole(member, role)}
        choices={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      />
    ),
  },
  {
    id: 'more',
    title: <span className="sr-only">{t('more', { name: '' })}</span>,
    end: true,
    cell: (member) =>
      member.owner ? null : (
        <Menu
          align="end"
          trigger={<IconButton icon={Ellipsis} size="sm" label={t('more', { name: member.name })} />}
          entries={[
            ...(member.hasAccount
              ? []
              : [
                  {
                    label: t('inviteAgain'),
                    icon: Mail,
                    onSelect: () => onInviteAgain(member),
                  },
                ]),
            {
              label: t('remove'),
              icon: UserMinus,
              danger: true,
              onSelect: () => onRemove(member),
            },
          ]}
        />
      ),
  },
]

export default function MembersPage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const { data: members, error, isLoadingError, isPending, refetch } = useQuery(membersQuery)
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<Invitation>()
  const [leaving, setLeaving] = useState<Member>()
  const changeRole = useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Role }) =>
      withConfirmation(() =>
        callDashboard('PATCH /members/{id}', { params: { id: member.id }, body: { role } }),
      ),
    onSuccess: ({ member }) => {
      notify({ title: t('roleChanged', { name: member.name, role: t(`role.${member.role}`) }), kind: 'good' })
      return refreshMembers()
    },
    onError: notifyError,
  })
  const inviteAgain = useMutation({
    mutationFn: (member: Member) =>
      withConfirmation(() =>
        callDashboard('PATCH /members/{id}', { params: { id: member.id }, body: { invite: true } }),
      ),
    onSuccess: (response) => {
      setInvited(response)
      return refreshMembers()
    },
    onError: notifyError,
  })
  const remove = useMutation({
    mutationFn: (member: Member) =>
      withConfirmation(() => callDashboard('DELETE /members/{id}', { params: { id: member.id } })),
    onSuccess: (_, member) => {
      notify({ title: t('removed', { name: member.name }), kind: 'good' })
      setLeaving(undefined)
      return refreshMembers()
    },
    onError: notifyError,
  })
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      }
    >
      {isPending ? (
        <SkeletonRows />
      ) : isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Table
          label={t('list')}
          rows={members}
          keyOf={({ id }) => id}
          columns={columnsOf({
            me: session.member.id,
            onRole: (member, role) => changeRole.mutate({ member, role }),
            onInviteAgain: inviteAgain.mutate,
            onRemove: setLeaving,
          })}
        />
      )}
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} onInvited={setInvited} />
      <InvitedDialog invited={invited} onClose={() => setInvited(undefined)} />
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('remove.title', { name: leaving?.name ?? '' })}
        description={t('remove.text')}
        action={t('remove')}
        onConfirm={() => leaving && remove.mutate(leaving)}
        busy={remove.isPending}
        danger
      />
    </Page>
  )
}
