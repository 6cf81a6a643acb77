import { useInfiniteQuery } from '@tanstack/react-query'
import { Tags as TagsIcon } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { Tag } from '../../../sdk/api.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { ColorMark } from '../../kit/color-mark.tsx'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { tagsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { ColorField } from './color.tsx'
import { ListSection } from './list-section.tsx'

const FIRST_COLOR = '#64748b'
const READS = ['tag', 'contact']

function TagDialog({ tag, onClose }: { tag: Tag | undefined; onClose: () => void }) {
  const form = useForm({ defaultValues: { name: tag?.name ?? '', color: tag?.color ?? FIRST_COLOR } })
  const { errors } = form.formState
  return (
    <EntryDialog
      form={form}
      title={t(tag ? 'tags.change' : 'tags.add')}
      save={(body) =>
        withConfirmation(async () =>
          tag ? call('PATCH /tags/{id}', { params: { id: tag.id }, body }) : call('POST /tags', { body }),
        )
      }
      onSaved={() => reportSaved(t('tags.saved'), READS)}
      onError={(error) => showIssues(error, ['name', 'color'], form.setError)}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        hint={tag && t('tags.name.hint')}
        autoFocus
        error={errors.name?.message}
        {...form.register('name')}
      />
      <ColorField error={errors.color?.message} {...form.register('color')} />
    </EntryDialog>
  )
}

/** Edits the tags of contacts. */
export const TagsSettings = () => (
  <ListSection
    name="tags"
    icon={TagsIcon}
    query={useInfiniteQuery(tagsQuery)}
    nameOf={({ name }) => name}
    remove={({ id }) => call('DELETE /tags/{id}', { params: { id } })}
    reads={READS}
    form={(tag, onClose) => <TagDialog tag={tag} onClose={onClose} />}
    columns={[
      {
        id: 'name',
        title: t('name'),
        cell: ({ name, color }) => (
          <span className="flex items-center gap-2 font-medium">
            <ColorMark color={color} />
            {name}
          </span>
        ),
      },
    ]}
  />
)
