/** The conversations of a campaign's recipients, begun or moved to the top in one statement. */
export {
  type CampaignRecipients,
  type OpenRecipients,
  openCampaignConversations,
} from '../queries/campaign-conversations.ts'
