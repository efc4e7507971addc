/** Whether the sandbox is part of this program. Replaced by false in the published package. */
export const hasSandbox: boolean = true
