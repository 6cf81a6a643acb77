/** The most used emoji. The system's keyboard has all others. */
export const EMOJI = Array.from(
  '😀😁😂😊😍😘🤗🤔😅😉😎😢😭😡😴🙄👍👎👏🙏🙌💪👋🤝👌💯🔥🎉🎁💐🌟❤💙💚💛✅❌📞📍📦🚚🕒📅💳🧾🛒🏠☕🍽🌧🚗🩺📎⭐💡🔔🔑',
)
