/** Whether this program contains the sandbox. The build of the published package replaces it by false. */
export const hasSandbox: boolean = true
