import { routes } from '../../../core/endpoint.ts'
import { postContactsBulk, postContactsBulkTags } from './endpoints/bulk.ts'
import {
  deleteContactField,
  getContactFields,
  patchContactField,
  postContactField,
} from './endpoints/contact-fields.ts'
import {
  deleteContact,
  getOneContact,
  patchContact,
  postContact,
  postContactMerge,
} from './endpoints/contacts.ts'
import { deleteTag, getTags, patchTag, postTag } from './endpoints/tags.ts'
import { contactCreated, contactDeleted, contactMerged, contactUpdated } from './events.ts'
import { mergeTwoContacts, retagContacts } from './jobs.ts'
import { mergeSpelled } from './spelling-jobs.ts'

export const contacts = {
  endpoints: routes({
    'POST /contacts': postContact,
    'GET /contacts/:id': getOneContact,
    'PATCH /contacts/:id': patchContact,
    'DELETE /contacts/:id': deleteContact,
    'POST /contacts/bulk': postContactsBulk,
    'POST /contacts/bulk-tags': postContactsBulkTags,
    'POST /contacts/:id/merge': postContactMerge,
    'GET /tags': getTags,
    'POST /tags': postTag,
    'PATCH /tags/:id': patchTag,
    'DELETE /tags/:id': deleteTag,
    'GET /contact-fields': getContactFields,
    'POST /contact-fields': postContactField,
    'PATCH /contact-fields/:id': patchContactField,
    'DELETE /contact-fields/:id': deleteContactField,
  }),
  events: [contactCreated, contactUpdated, contactDeleted, contactMerged],
  jobs: [retagContacts, mergeTwoContacts, mergeSpelled],
}
