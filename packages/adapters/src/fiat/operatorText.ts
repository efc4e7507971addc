const MAX_LENGTH = 200

/**
 * Prepares a provider's own text for the operator's log: shortens it, puts it on one line, and masks possible secrets
 * and account numbers. Customers never see it, because names can't be masked reliably.
 */
export const operatorText = (text: string): string =>
  text
    .slice(0, 4 * MAX_LENGTH)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .replaceAll(/[^\s@<>"']+@[^\s@<>"']+/gu, "[email]")
    .replaceAll(/[\w+/=-]{20,}/gu, "[token]")
    .replaceAll(/\d(?:[\s./()-]{0,2}\d){4,}/gu, "[digits]")
    .trim()
    .slice(0, MAX_LENGTH)
