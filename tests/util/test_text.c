/* Texts for people and for XML: which characters may stand in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/error.h"
#include "csim/util/html.h"
#include "tests/test.h"

static const struct {
  const char *text, *printable, *html;
} cases[] = {
    {"a<b & \"c\">", "a<b & \"c\">", "a&lt;b &amp; &quot;c&quot;&gt;"},
    {"a\nb\tc\x1b[2Jd\x7f", "a\nb\tc?[2Jd?", "a\nb c [2Jd "},
    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xef\xbf\xbd", "\xef\xbf\xbd", "\xef\xbf\xbd"}, /* U+FFFD is one, the next two are none */
    {"\xef\xbf\xbe", "???", "???"},
    {"\xef\xbf\xbf", "???", "???"},
    {"\xed\x9f\xbf \xed\xa0\x80", "\xed\x9f\xbf ???", "\xed\x9f\xbf ???"}, /* surrogates */
    {"\xc2\x85 \xc2\xa0", "?? \xc2\xa0", "?? \xc2\xa0"},
    {"\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf", "?? ??? ????", "?? ??? ????"}, /* too long */
    {"\xf4\x8f\xbf\xbd \xf4\x90\x80\x80 \xff", "\xf4\x8f\xbf\xbd ???? ?",
     "\xf4\x8f\xbf\xbd ???? ?"},
    {"cut \xe2\x82", "cut ??", "cut ??"},
};

TEST(only_characters_are_left) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *html = NULL, *text = strdup(cases[i].text);
    size_t size;
    FILE *out = open_memstream(&html, &size);
    html_text(out, cases[i].text);
    fclose(out);
    tandem_printable(text);
    assert_string_equal(html, cases[i].html);
    assert_string_equal(text, cases[i].printable);
    free(text);
    free(html);
  }
}

int main(void) { return test_run(NULL, NULL); }
