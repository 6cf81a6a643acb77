/** Starts the conversations of a campaign's recipients, or moves them to the top, in one statement. */
export {
  type CampaignRecipients,
  type OpenRecipients,
  openCampaignConversations,
} from '../queries/campaign-conversations.ts'
