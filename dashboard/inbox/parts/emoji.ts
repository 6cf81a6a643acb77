/** What is reached for most; everything else is on the keyboard of the system. */
export const EMOJI = Array.from(
  '😀😁😂😊😍😘🤗🤔😅😉😎😢😭😡😴🙄👍👎👏🙏🙌💪👋🤝👌💯🔥🎉🎁💐🌟❤💙💚💛✅❌📞📍📦🚚🕒📅💳🧾🛒🏠☕🍽🌧🚗🩺📎⭐💡🔔🔑',
)
