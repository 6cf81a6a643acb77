import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import type { Lead } from '../../../sdk/api.ts'
import { Finder } from '../../kit/finder.tsx'
import { leadSearchQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Props = { open: boolean; onClose: () => void; onChoose: (lead: Lead) => void }

/** Finds a lead by name or number. */
export function LeadFinder({ open, onClose, onChoose }: Props) {
  const [text, setText] = useState('')
  const { data } = useQuery({ ...leadSearchQuery(text.trim()), enabled: open })
  const items = (data?.leads ?? []).map((lead) => ({
    id: lead.id,
    title: lead.name ?? lead.phone,
    detail: lead.phone,
    icon: UserRound,
    always: true,
    run: () => onChoose(lead),
  }))
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={t('new.lead')}
      placeholder={t('new.lead.search')}
      empty={t('new.lead.none')}
      groups={items.length > 0 ? [{ value: t('new.lead.found'), items }] : []}
      text={text}
      onText={setText}
    />
  )
}
