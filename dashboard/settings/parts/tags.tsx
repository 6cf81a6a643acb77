import { useInfiniteQuery } from '@tanstack/react-query'
import { Tags as TagsIcon } from 'lucide-react'
import type { Tag } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { TextField } from '../../kit/field.tsx'
import { tagsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { ColorField, ColorMark } from './color.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { ListSection } from './list-section.tsx'

const FIRST_COLOR = '#64748b'

const TagDialog = ({ tag, onClose }: { tag: Tag | undefined; onClose: () => void }) => (
  <EntryDialog<{ name: string; color: string }>
    title={t(tag ? 'tags.change' : 'tags.add')}
    values={{ name: tag?.name ?? '', color: tag?.color ?? FIRST_COLOR }}
    names={['name', 'color']}
    save={(body) =>
      tag ? call('PATCH /tags/{id}', { params: { id: tag.id }, body }) : call('POST /tags', { body })
    }
    saved={t('tags.saved')}
    reads={['tag', 'contact']}
    onClose={onClose}
  >
    {({ register, formState: { errors } }) => (
      <>
        <TextField
          label={t('name')}
          hint={tag && t('tags.name.hint')}
          autoFocus
          error={errors.name?.message}
          {...register('name')}
        />
        <ColorField error={errors.color?.message} {...register('color')} />
      </>
    )}
  </EntryDialog>
)

/** Edits the tags of contacts. */
export const TagsSettings = () => (
  <ListSection
    name="tags"
    icon={TagsIcon}
    query={useInfiniteQuery(tagsQuery)}
    nameOf={({ name }) => name}
    remove={({ id }) => call('DELETE /tags/{id}', { params: { id } })}
    reads={['tag', 'contact']}
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
