import { join } from "node:path"

/** The default folder of mails, if there is no mail server. */
export const mailFolder = (home: string): string => join(home, "mail")
