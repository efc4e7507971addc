const LONGEST = 200

/**
 * A provider's own text for the operator's log: shortened, on one line, with possible secrets and account numbers
 * masked. Customers never see it, because names cannot be masked reliably.
 */
export const operatorText = (text: string): string =>
  text
    .slice(0, 4 * LONGEST)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .replaceAll(/[^\s@<>"']+@[^\s@<>"']+/gu, "[e-mail]")
    .replaceAll(/[\w+/=-]{20,}/gu, "[token]")
    .replaceAll(/\d(?:[\s./()-]{0,2}\d){4,}/gu, "[digits]")
    .trim()
    .slice(0, LONGEST)
