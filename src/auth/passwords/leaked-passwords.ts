// Leaked passwords of at least 15 characters, and keyboard sequences.

/**
 * In lower case. The entries among the 49,000 most common passwords of `@zxcvbn-ts/language-common` 4.1.3 (MIT) that
 * would otherwise pass the rules for length and uncommon letters.
 */
export const leakedPasswords: ReadonlySet<string> = new Set(
  `23176djivanfros aksjdlasdakj89879 bhrh0h2oof6xbqjeh bpgjldsgjldthnf hd764nw5d7e1vb1 hd764nw5d7e1vbv
  lhbjkjubz2957704 lytdybrbdfvgbhf mailcreated5240 momsanaladventure ne_e_pod_chehyl nemvxyheqdd5oqxyxyzi
  nick1234-rem936 passwordstandard polniypizdec0211 polniypizdec1102 polniypizdec110211 zqjphsyf6ctifgu`.split(/\s+/),
)

/** Keyboard sequences by rows, columns and zigzag. */
export const keyboardWalks =
  'qwertyuiop qwertz qwerty qwert asdfghjkl asdfg asdf zxcvbnm zxcvbn zxcvb 1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm ' +
  'qaz wsx edc rfv tgb yhn ujm zaq xsw cde vfr bgt nhy mju q1w2 e3r4 t5y6 u7i8 o9p0 1q2w 3e4r 5t6y 7u8i 9o0p ' +
  '1qa 2ws 3ed 4rf 5tg qwer'
